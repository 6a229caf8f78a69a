"""A title or a summary without credentials: they are printed, kept in a cache and put into an index.

Every note that is read has both, so that most must be let through by a look that costs next to
nothing; :mod:`aikb.rules.credentials` is imported and asked about the few others.
"""

from __future__ import annotations

import re

_SHOWN = 240  # characters, more than any summary has
# What bears its own mark is long, and has letters beside digits or capitals as no name has them.
_LONG = re.compile(r"[!-~]{15,}")
_ODD = re.compile(
    r"[A-Za-z]+\d[A-Za-z0-9]{3}|\d+[A-Za-z][A-Za-z0-9]{3}|\d{13}|[A-Z]{9}|[a-z][A-Z](?:[A-Z]|[a-z][A-Z])"
)
# What a reader does not see or takes for a plain letter or digit: it may hide all the others.
_DISGUISED = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f"
    r"\u3164\ufe00-\ufe0e\ufeff\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uffa0\ufff9-\ufffb\u2070-\u209f"
    r"\u2460-\u24ff\U0001d173-\U0001d17a\U0001d400-\U0001d7ff\U000e0000-\U000e0fff]"
)
_MARK = re.compile(r"[\d:=\"'`|>@#%!$&*?+~]|login|machine")
# Behind a word of the first row something like a value must follow, with one of the second it may be
# anywhere.
_SAYING = (
    "pass", "pwd", "pw", "psw", "secret", "token", "key", "credential", "senha", "kennwort", "contrase",
    "parola", "пароль", "密码", "密碼", "密钥", "口令", "令牌", "パスワード", "비밀번호", "auth", "bearer",
    "ssws",
)  # fmt: skip
_FOLLOWS = re.compile(
    rf"(?:{'|'.join(_SAYING)})[^\n]{{0,60}}?(?:[\d:=|>@$#%&*+~\uff1a]|[!?]\w|[\s(,][\"'`])"
)
_COMMANDS = (
    "curl", "wget", "http ", "https ", "mysql", "ldap", "cookie", "smb", "rpcclient", "/user:", " -u ",
    "redis", "docker login", "unzip", "7z ", "x-", "stdin", "sudo", "cryptsetup", "@", ":5432:", "login ",
)  # fmt: skip


def blot_brief(text: str) -> str:
    """A line with every credential in it blotted out, as :func:`aikb.rules.credentials.blot` does."""
    if not _may_hold_one(text):
        return text
    from aikb.rules.credentials import blot

    return blot(text)


def blot_opening(text: str) -> str:
    """As :func:`blot_brief`, of as many whole words as a summary can show; the rest is left out."""
    end = text.find(" ", _SHOWN) if len(text) > _SHOWN else -1
    return blot_brief(text[:end] if end > 0 else text)


def _may_hold_one(text: str) -> bool:
    if any(_ODD.search(word) for word in _LONG.findall(text)):
        return True
    if not (text.isascii() and text.isprintable()) and _DISGUISED.search(text):
        return True
    if not _MARK.search(text):
        return False
    lower = text.lower()
    for word in _COMMANDS:
        if word in lower:
            return True
    for word in _SAYING:
        if word in lower:
            return bool(_FOLLOWS.search(lower))
    return False
