"""What an editor would obey is found in any dress; what is prose is left alone."""

from __future__ import annotations

import codecs

import pytest

from aikb.formats.source import capture_of, is_outside, is_safe, url_of
from aikb.raw.capture import clean_url
from aikb.raw.library import ending_of, slug_of
from aikb.rules import capture
from aikb.tools.addresses import why_not

EVAL = '# Local Variables:\n# eval: (shell-command "x")\n# End:\n'
ARMED = {
    "first line": b"# -*- eval: (x) -*-\n",
    "behind #!": b"#!/bin/sh\n# -*- eval: (x) -*-\n",
    "end": b"x\n" * 9000 + EVAL.encode(),
    "capitals": b"LOCAL VARIABLES:\n",
    "utf-16": codecs.BOM_UTF16_LE + EVAL.encode("utf-16-le"),
    "wide characters behind": EVAL.encode() + "\U0001f600".encode() * 2900,
    "page break behind": EVAL.encode() + b"\n\x0c\n",
    "charset utf-7": b'<html><meta charset="utf-7">+AEw-',
    "xml encoding": b'<?xml version="1.0" encoding="cp037"?>',
    "vim": b"# vim: set modelines=5 :\n",
    "vi at the end": b"x\n" * 900 + b"/* vi:ts=4 */\n",
}
HARMLESS = {
    "prose": b"We saw local colour, and the encoding was good. For ex: this one.\n",
    "far from the end": EVAL.encode() + b"x" * 15000,
    "html": b'<html><meta charset="utf-8"><p>a -*- b</p>',
    "declared latin": b'<?xml version="1.0" encoding="ISO-8859-1"?>',
    "binary": bytes(range(256)) * 10,
}


@pytest.mark.parametrize("name", ARMED)
def test_armed(name):
    assert capture.armed(ARMED[name])
    assert [f.code for f in capture.check("raw/x.txt", ARMED[name])] == ["file-variables"]


@pytest.mark.parametrize("name", HARMLESS)
def test_harmless(name):
    assert capture.armed(HARMLESS[name]) == ""
    assert list(capture.check("raw/x.txt", HARMLESS[name])) == []


def test_a_hand_written_org_capture_is_held_against_the_rules_for_hostile_text():
    codes = [
        f.code for f in capture.check("raw/x.org", b"#+SETUPFILE: /ssh:host:/x\n[[elisp:(x)]]\n")
    ]
    assert {"keyword-setupfile", "code-link", "remote-file"} == set(codes)
    assert list(capture.check("raw/x.org", b"URL: https://example.org\n\nAn excerpt.\n")) == []


def test_huge_captures_are_refused():
    assert [f.code for f in capture.check("raw/x", b"x" * (capture.LARGEST + 1))] == [
        "file-too-large"
    ]


PRIVATE = (
    "127.0.0.1", "127.8.8.8", "10.0.0.1", "172.16.3.4", "192.168.1.1", "0.0.0.0", "100.64.0.1",
    "169.254.169.254", "168.63.129.16", "100.100.100.200", "224.0.0.1", "255.255.255.255", "192.0.0.192",
    "198.18.0.1", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1",
    "::ffff:127.0.0.1", "::ffff:169.254.169.254", "64:ff9b::7f00:1", "2002:7f00:1::", "::127.0.0.1",
    "2001:0:7f00:1::",
)  # fmt: skip


@pytest.mark.parametrize("address", PRIVATE)
def test_addresses_that_are_not_fetched_from(address):
    assert why_not(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "1.1.1.1", "2606:4700:4700::1111"])
def test_public_addresses(address):
    assert why_not(address) == ""


def test_allowing_private_addresses_does_not_allow_metadata():
    for address in ("127.0.0.1", "10.0.0.1", "fd12::1", "::1"):
        assert why_not(address, private_allowed=True) == ""
    for address in (
        "169.254.169.254",
        "fe80::1",
        "::ffff:169.254.169.254",
        "fd00:ec2::254",
        "0.0.0.0",
    ):
        assert why_not(address, private_allowed=True)


@pytest.mark.parametrize(
    ("source", "path", "outside"),
    [
        ("raw/x.org", "raw/x.org", True),
        ("raw/x.org, section 2", "raw/x.org", True),
        ("[[file:raw/x.org][X]]", "raw/x.org", True),
        ("./raw/x.org::*Head", "raw/x.org", True),
        ("https://example.org/raw/x", "", True),
        ("[[https://example.org][x]]", "", True),
        ("www.example.org", "", True),
        ("doi:10.1/2", "", True),
        ("chat 2026-05-24", "", False),
        ("chat about https://example.org", "", False),
        ("~/code/raw/x.org", "", False),
        ("rawhide", "", False),
        ("", "", False),
    ],
)
def test_what_a_source_says(source, path, outside):
    assert capture_of(source) == path
    assert is_outside(source) is outside


def test_a_capture_cannot_lead_out_of_raw():
    assert is_safe("raw/a/b.org")
    assert not any(map(is_safe, ("raw/../x.org", "raw/./x", "raw//x", "/raw/x", "raw/", "x")))
    assert url_of("[[https://example.org/a][x]] seen") == "https://example.org/a"


@pytest.mark.parametrize(
    ("words", "slug"),
    [
        ("How locks work", "how-locks-work"),
        ("../../etc/passwd", "etc-passwd"),
        ("-rf .hidden", "rf-hidden"),
        ("日本語の題", "日本語の題"),
        ("Größe & Maß", "große-maß"),
        ("\u202e\x00", "capture"),
        ("", "capture"),
    ],
)
def test_slugs(words, slug):
    assert slug_of(words) in {slug, "grosse-mass", "groe-ma"}


def test_slugs_are_short_in_bytes():
    assert len(slug_of("語" * 500).encode()) <= 60
    assert len(slug_of("word " * 500)) <= 60


def test_endings():
    assert ending_of("a.PDF", b"%PDF\x00") == ".pdf"
    assert ending_of("a.el", b"(x)") == ".txt"
    assert ending_of("a.tar.gz", b"\x1f\x8b\x00") == ".bin"
    assert ending_of("x", b"words") == ".txt"


def test_addresses_are_kept_as_visible_ascii():
    assert (
        clean_url("HTTPS://example.org/ä?[[elisp:x]]")
        == "https://example.org/%C3%A4?%5B%5Belisp:x%5D%5D"
    )
    assert clean_url("http://[::1]:80/x") == "http://[::1]:80/x"
    assert clean_url("https://bücher.example/") == "https://xn--bcher-kva.example/"
