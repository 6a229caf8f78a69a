"""Text that reads like an order to an agent: what is injected must be facts, whoever wrote it.

A net with wide meshes, over what injections really say.  What slips through is still quoted, bounded
and named as a note's words; what is caught wrongly is only not repeated, and its file is named.
"""

from __future__ import annotations

import re

_ORDER = re.compile(
    r"\b(?:ignore|disregard|forget|override|bypass)\b.{0,40}\b(?:instructions?|rules?|prompts?|context"
    r"|guidelines?|(?:said|written|told) (?:above|before|so far))\b"
    r"|\b(?:system|developer) (?:prompt|message|reminder)\b"
    r"|^\W*(?:system|assistant|developer|human|user|important|attention)\s*:"
    r"|\byou (?:must|shall|have to|need to|are (?:now|required|instructed|an? (?:ai|assistant|agent)))\b"
    r"|\b(?:do not|don't|never) (?:tell|mention|inform|ask|warn|reveal|show)\b"
    r"|\b(?:from now on|new instructions?|without (?:asking|telling|confirmation))\b"
    r"|\b(?:run|execute|invoke|call|type|paste) (?:the |this |these |following ?)*"
    r"(?:commands?|scripts?|shell|bash|tool)\b"
    r"|\b(?:curl|wget)\b.{0,80}\|\s*(?:ba|z|da)?sh\b|\brm\s+-\w*[rf]"
    r"|\b(?:send|post|upload|exfiltrate)\b.{0,60}\b(?:https?|tokens?|secrets?|keys?|passwords?|credentials?)\b",
    re.IGNORECASE,
)

_JOINED = re.compile(r"(?<=\w)[-_/.]+(?=\w)")  # a tag or a name can be a whole sentence


def reads_like_order(text: str) -> bool:
    """Whether one line of text tells its reader what to do."""
    return bool(_ORDER.search(text) or _ORDER.search(_JOINED.sub(" ", text)))
