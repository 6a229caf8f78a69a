"""Credentials in whole snippets of notes and files: found in every dress and however they are broken."""

from __future__ import annotations

import pytest
from credential_notes import DRESSES, snippets
from credential_samples import SHAPES

from aikb.rules.credentials import find

RECALL = 0.98
ALL = snippets()
FORMATS = {kind for kind, _ in ALL}


def missed(change):
    """The kinds and texts of snippets in which nothing is found once they are changed."""
    return [(k, t) for k, t in ALL if not find(f"Words.\n\n{change(t)}\n\nMore words.\n")]


def test_the_list_has_every_format_that_the_issue_names():
    assert len(ALL) >= 150
    assert {
        "private key", "age", "AWS", "GitHub", "GitLab", "Slack", "Stripe", "OpenAI", "Anthropic",
        "Google", "Azure", "npm", "PyPI", "Hugging Face", "Twilio", "SendGrid", "Telegram", "Discord",
        "JWT", "URL with a password", "database URL", "netrc", "Authorization header", "password",
    } <= FORMATS  # fmt: skip


@pytest.mark.parametrize("dress", DRESSES)
def test_they_are_found_in_every_dress(dress):
    left = missed(DRESSES[dress])
    assert len(left) <= len(ALL) * (1 - RECALL), left


@pytest.mark.parametrize("shape", SHAPES)
def test_they_are_found_however_they_are_broken(shape):
    left = missed(SHAPES[shape])
    assert len(left) <= len(ALL) * (1 - RECALL), left


@pytest.mark.parametrize(
    "line",
    [
        "| How to reset a password | f04cae22 | Words. | general | 2026-01-03 |  |",
        "| Where we keep the passwd | 1a2b3c4d5e | Words. | general | 2026-01-03 |  |",
        "Set the password manager to lock after 10 minutes.",
        "The password field#2 of the form is checked first.",
        "A password hash2024 is no password.",
        "https://mp.weixin.qq.com/s?sn=9def259a48536c9c4eb59e1d597742ae&pass_ticket=8eUWK5OGe1DcdlDse9NOlf8G0Z7B",
        "https://shop.example/ref?dib=eyJ2IjoiMSJ9.qE0oLT8yw3jgikPoj0OBCHOr.hs9d-bv5febu6LJMM0123",
        "<input name='password' value=''/>",
        "- name: PASSWORD_FILE\n  value: /run/secrets/db",
        'name="token-refresh"\nvalue = compute(token)',
        "echo done | sudo tee /etc/x",
        "printf '%s' \"$TOKEN\" | docker login --password-stdin",
        "openssl enc -pass env:KEY -in x",
        "first-pass filter2 and high-pass filter#3",
        "a single-token decoder16 and a multi-key index2024",
        "smbclient //nas/share -U ann",
        "net use Z: \\\\nas\\share",
    ],
)
def test_words_like_theirs_are_none(line):
    assert find(f"Words.\n\n{line}\n\nMore words.\n") == []
