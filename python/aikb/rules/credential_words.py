"""Credentials that stand in a command or a sentence: what its options and words say of them."""

from __future__ import annotations

import re

from aikb.rules.credential_context import VALUE, Context, Q, is_given, is_mixed, is_secret, value_of
from aikb.rules.credential_judge import compiled, is_name_of_thing, is_password

_NUMBERED_THING = (  # "the password field#2" counts fields
    r"(?i)(?:field|hash|form|file|page|policy|prompt|manager|input|box|reset|store|list|entry|group|attack"
    r"|salt|version|v|rfc|number|id|type|step|part|chapter|section|table|figure|line|option|example|round"
    r"|test|case|issue|bug|pr|ticket|rule|change|update|rotation)s?\W*\d+"
)


def _option(match: re.Match[str]) -> bool:
    value, quoted = value_of(match)
    return is_password(value, quoted=quoted, assigned=True, strong=True)


def _said(match: re.Match[str]) -> bool:
    value, quoted = value_of(match)
    mixed = any(c.isdigit() for c in value) and any(c.isalpha() for c in value)
    return mixed and is_password(value, quoted=quoted, assigned=True, strong=True)


def _beside(match: re.Match[str]) -> bool:
    """Whether what stands right behind the word ``password`` is one; most of it is prose."""
    value, quoted = value_of(match)
    digits, letters = sum(map(str.isdigit, value)), sum(map(str.isalpha, value))
    odd = any(c in "!#$%^&*@?+~" for c in value[1:])
    return (
        letters >= 3
        and not compiled(_NUMBERED_THING).fullmatch(value)
        and not is_name_of_thing(value)
        and (digits >= 4 or (odd and digits >= 1))
        and is_password(value, quoted=quoted, assigned=True, strong=True)
    )


SPOKEN = (
    Context("token in prose", ("key", "token", "secret"),
            r"(?i:\b(?:api[ _-]?key|(?:access|auth|api)[ _-]token|client[ _-]secret|secret[ _-]key)[ \t]+"
            r"(?:is[ \t]+|was[ \t]+)?)" + Q + r"(?P<v>[A-Za-z0-9_+/.~-]{15,200}={0,2})",
            lambda m: is_secret(m) and not is_name_of_thing(m.group("v"))),
    Context("password in prose", ("pass", "pwd"),
            r"(?i:\b(?:pass(?:word|phrase|wd|code)?|pwd|pw)[ \t]+(?:is|was|ist|war|to|of|es|est)[ \t]*:?[ \t]+)"
            + VALUE, _said),
    Context("password in prose", ("pass", "pwd", "kennwort"),
            r"(?i:\b(?:pass(?:word|phrase|wd|wort)|pwd|kennwort)[ \t]+)" + VALUE, _beside),
    Context("password of a command", ("curl", "wget", "http"),
            r"\b(?:curl|wget|https?)\b[^\n]{0,200}?[ \t](?:-u|--user|--proxy-user|-a|--auth)[ =]?[\"']?"
            r"[^\s:\"']{1,60}:(?P<v>[^\s\"'@/]{3,100})", is_given),
    Context("password of a command", ("sshpass", "mysql", "docker", "smbclient", "ldapsearch", "redis"),
            r"\b(?:sshpass|mysql\w*|docker login|ldap\w+|redis-cli|unzip|7z)\b[^\n]{0,120}?[ \t]"
            r"(?:-p|-w|-a|-P)[ ]?[\"']?(?P<v>[^\s\"'-][^\s\"']{3,100})",
            lambda m: is_given(m) and is_mixed(m.group("v"))
            and not re.fullmatch(r"\d+(?::\d+)?|/.*", m.group("v"))),
    Context("password of a command", ("-pass", "-token", "-secret", "-api-key", "-apikey", "-pwd", "pass"),
            r"(?<![\w-])(?:--(?:[\w-]{0,20}?)|-(?:src|dest|http|proxy|store|key|user|db)?)"
            r"(?:password|passwd|pass|passphrase|pwd|token|secret|api-?key)(?:[ \t]+|=)"
            + VALUE, _option),
    Context("password of a command", ("smb", "rpcclient", "net "),
            r"\b(?:smb\w+|rpcclient|net)\b[^\n]{0,120}?[ \t](?:-U|--user)[ =]?[\"']?[^\s%\"']{1,60}%"
            r"(?P<v>[^\s\"']{3,100})", is_given),
    Context("password of a command", ("/user:",),
            r"(?i:\bnet use\b[^\n]{0,160}?/user:\S{1,60}[ \t]+)(?P<v>[^\s/\"']\S{3,100})", is_given),
    Context("password of a command", ("sudo", "passwd", "chpasswd", "stdin", "cryptsetup"),
            r"\b(?:echo|printf)[ \t]+(?:-\w+[ \t]+)?(?P<d>[\"']?)(?:[\w.-]{1,32}:)?"
            r"(?P<v>[^\s\"'|]{4,100})(?P=d)[ \t]*\|[ \t]*(?:sudo -\w*S|(?:sudo[ \t]+)?(?:ch)?passwd\b"
            r"|[^\n|]{0,80}(?:-stdin\b|cryptsetup\b))",
            lambda m: is_given(m) and not m.group("v").startswith("$")),
    Context("password of a command", ("pass:",),
            r"-(?:pass|passin|passout|password)[ \t]+pass:(?P<v>[^\s\"']{4,100})", is_given),
)  # fmt: skip
