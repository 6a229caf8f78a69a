"""Secrets in files that are no text: what is legible in them is searched, and noise is not."""

from __future__ import annotations

import random

from aikb.rules.credential_text import decode
from aikb.rules.credentials import find

KEY = "AKIA" + "Q7RT5VWX2YZ3ABCD"
NOISE = random.Random(1).randbytes(300_000)


def test_a_legible_secret_in_a_picture_is_found() -> None:
    data = NOISE + b"\0Comment\0key " + KEY.encode() + b"\0" + NOISE
    assert [secret.kind for secret in find(decode(data))] == ["AWS access key id"]


def test_a_wide_secret_is_found() -> None:
    assert find(decode(b"\x01" + f"key {KEY} ".encode("utf-16-le")))


def test_a_text_with_one_odd_byte_keeps_its_lines() -> None:
    data = b"one\0\ntwo\n" + f"key {KEY}\n".encode()
    assert [secret.line for secret in find(decode(data))] == [3]


def test_noise_is_left_out() -> None:
    assert len(decode(NOISE)) < len(NOISE) // 20
    assert find(decode(NOISE)) == []
