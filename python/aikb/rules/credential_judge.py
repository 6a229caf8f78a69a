"""Whether a value that stands where a secret would stand is one, or a word, code or a placeholder."""

from __future__ import annotations

import math
import re
from functools import lru_cache
from itertools import pairwise

compiled = lru_cache(maxsize=None)(re.compile)  # when first needed: it takes longer than to search
_HOLDER = (
    r"(?i)"
    r"x{5,}|0{8,}|\*{3,}|\.{3}|…|_{4,}|#{4,}|<[^<>]*>|\$\{|\{\{|\}\}|%\(|%[sd]\b|example|your|placeholder"
    r"|redacted|removed|dummy|sample|change[-_]?me|omitted|censored|masked|deadbeef|foobar|lorem"
    r"|(?<![a-z0-9])(?:my|insert|enter|put|here|goes|replace|todo|tbd|fixme|the|some)(?![a-z0-9])"
)
_WORDS = frozenset(
    """
password passwd passphrase passcode pass pwd pw secret token key apikey api_key none null nil true
false yes no on off undefined unset empty string str int integer bool boolean text char varchar bytes
byte number object any required optional default value user username name email login root admin test
tests testing public private basic bearer prompt ask stdin env keyring keychain vault file path hash
hashed plain plaintext encrypted base64 sha1 sha256 sha512 md5 bcrypt argon2 argon2i argon2id scrypt
pbkdf2 hs256 rs256 es256 utf-8 utf8 oauth oauth2 http2 ipv4 ipv6 x509 pkcs8 pkcs12 rsa2048 rsa4096
ed25519 aes128 aes256 aes-256 aes-128 wpa2 wpa3 wpa2-psk k8s s3 ec2 n/a hmac-sha256 2fa sha-1
sha-256 sha-512 uuid4 uint256 uint32 int64 int32 bytes32 web3 log4j i18n gpt-4
""".split()
)
_CODE = (
    r"^[$@%&<{\[(]|\w\(|^\w+\[|=>|->|::|\{\w*\}|^(?:os|process|self|this|env|config|settings|ctx|req"
    r"|request|options?|args|params|data|cls|app|user|sys|secrets)\b[.\[]|^(?:new|await|return) "
    r"|^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|^(?:https?|ftp|file|ssh|git|id|mailto|attachment):"
    r"|^\.{0,2}/[\w.-]+/|^[~.]/|^[A-Z]+(?:_[A-Z0-9]+)+$"
    r"|\.(?:txt|json|pem|key|ya?ml|toml|org|md|py|js|ts|el|sh|cfg|ini|conf|html?|png|jpg|gpg)$"
)
_WORDY = r"[A-Za-z]+(?:[-_. /][A-Za-z]+)*[.!?]?"
_NUMBERED = r"[A-Za-z]+(?:[-_ ][A-Za-z]+)*[-_]?\d{1,4}"
_VERSION = r"(?i)v?\d+(?:[.,:/-]\d+)*[%a-z]{0,5}|\d{4}-\d\d-\d\d.*|0x[0-9a-f]{1,8}"
_DIGEST = r"(?i)(?:sha\d+|md5|blake2\w?)[:-]|\$\("
_CJK = r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]"
_HEX = r"[0-9a-fA-F]+"
_UUID = r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"


def is_placeholder(value: str) -> bool:
    """Whether a value only stands for another."""
    if len(set(re.sub(r"[\W_]", "", value))) <= 3:
        return True
    return bool(compiled(_HOLDER).search(value))


def is_token(value: str) -> bool:
    """Whether what has a token's mark and length is one: no placeholder, and no words."""
    if is_placeholder(value):
        return False
    has_digit = any(c.isdigit() for c in value)
    return has_digit or not value.islower() or entropy(value) > 3.8


def is_name_of_thing(value: str) -> bool:
    """Whether a value has the form of an id or a hash, which prose names as well."""
    return bool(compiled(_UUID).fullmatch(value) or compiled(_HEX).fullmatch(value))


def is_torn(first: str, rest: str) -> bool:
    """Whether two parts that a line end parts are one value, and not a word and the next line's."""
    whole = first + rest
    if not first or is_random(whole) or any(c.isdigit() for c in rest):
        return True
    return not (
        first.lower() in _WORDS
        or compiled(_WORDY).fullmatch(first)
        or compiled(_NUMBERED).fullmatch(first)
    )


def is_random(value: str) -> bool:
    """Whether nobody would write this but a machine: long, mixed, and no path or name."""
    if (
        len(value) < 15
        or is_placeholder(value)
        or compiled(_CODE).search(value)
        or compiled(_DIGEST).match(value)
    ):
        return False
    if compiled(_UUID).fullmatch(value):
        return True
    if not any(c.isdigit() for c in value) and (value.islower() or value.isupper()):
        return False
    if compiled(_VERSION).fullmatch(value) or value.isdigit():
        return False
    parts = re.split(r"[-_./=+]+", value)
    if len(parts) > 2 and all(p.isalpha() or p.isdigit() or not p for p in parts):
        return False
    if compiled(_HEX).fullmatch(value):
        return len(value) >= 20 and entropy(value) > 2.8
    if re.search(r"[a-z]{10}", value) and sum(map(str.isdigit, value)) < len(value) / 8:
        return False
    return entropy(value) > 3.1


def is_password(value: str, *, quoted: bool, assigned: bool, strong: bool) -> bool:
    """Whether the value of ``password``, ``token`` and their kin is one.

    *quoted*: in quotation marks; *assigned*: behind ``=`` or an option; *strong*: the name means
    nothing but a password, so that ``hunter2`` is one.
    """
    if (
        len(value) < 4
        or len(value) > 400
        or value.lower() in _WORDS
        or compiled(_CJK).search(value)
    ):
        return False
    if is_placeholder(value) or compiled(_CODE).search(value) or compiled(_DIGEST).match(value):
        return False
    if compiled(_UUID).fullmatch(value):
        return True
    if compiled(_WORDY).fullmatch(value):
        return _is_phrase(value, quoted=quoted, assigned=assigned, strong=strong)
    if compiled(_VERSION).fullmatch(value):
        return strong and value.isdigit() and (assigned or len(value) >= 6)
    if compiled(_NUMBERED).fullmatch(value):
        least = 6 if strong else 14
        return len(value) >= least and (strong or " " not in value)
    if " " in value:
        return quoted and strong and assigned and len(value) < 64
    if not any(c.isalnum() for c in value):
        return False
    if not any(c.isdigit() for c in value):
        special = any(c in "!@#$%^&*+?~" for c in value[:-1])
        return strong and special and len(value) >= 6
    if strong:
        return len(value) >= 6
    return len(value) >= 12 and entropy(value) > 2.8 and not _is_name(value)


def _is_phrase(value: str, *, quoted: bool, assigned: bool, strong: bool) -> bool:
    """Whether a value of nothing but letters is a password: only where it is assigned, in quotes."""
    if len(value) >= 16 and value.isalpha() and entropy(value) > 3.3:
        turns = sum(a.isupper() != b.isupper() for a, b in pairwise(value))
        if turns > len(value) / 3:  # no camelCase turns so often
            return True
    if assigned and strong and len(value) >= 20 and value.isalpha() and value.islower():
        return True  # words run together, as a passphrase has them and no name in a program
    if not (quoted and assigned and strong):
        return False
    words = re.split(r"[-_. /]+", value.lower())
    return len(value) >= 6 and not any(word in _WORDS for word in words)


def _is_name(value: str) -> bool:
    parts = re.split(r"[-_./:]+", value)
    return len(parts) > 1 and all(
        p.isalpha() or p.isdigit() or re.fullmatch(r"[A-Za-z]+\d{1,4}|\d{1,4}[A-Za-z]+", p) or not p
        for p in parts
    )


def entropy(value: str) -> float:
    """Shannon's, in bits a character."""
    size = len(value)
    return -sum(n / size * math.log2(n / size) for n in map(value.count, set(value)))
