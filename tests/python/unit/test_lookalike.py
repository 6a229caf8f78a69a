"""Letters that look alike: words that mix them are told, words of one script are left alone."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aikb.formats.lookalike import mixed_word, skeleton
from aikb.formats.slug import slugify


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("\u0430lpha", "\u0430lpha"),
        ("the p\u0430ssword", "p\u0430ssword"),
        ("\u0391lpha", "\u0391lpha"),
        ("\uff41lpha", "\uff41lpha"),
        ("plain words", ""),
        ("\u043f\u0430\u0440\u043e\u043b\u044c", ""),
        ("na\u00efve caf\u00e9 Stra\u00dfe", ""),
        ("\u0394x and \u03bcm", ""),
        ("\u65e5\u672c alpha", ""),
        ("git \u0438 emacs", ""),
        ("\u03b1-particle", ""),
    ],
)
def test_a_word_of_two_scripts_is_told(text, word):
    assert mixed_word(text) == word


def test_what_looks_the_same_folds_to_the_same():
    assert skeleton("\u0420\u0430\u0443\u0440\u0430l") == skeleton("Paypal")
    assert skeleton("Stra\u00dfe") == skeleton("STRASSE")
    assert skeleton("\u043f\u0430\u0440\u043e\u043b\u044c") != skeleton("napojib")


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("\u0430lpha b\u0435ta", "alpha-beta"),
        ("\u0391lpha", "alpha"),
        ("\u043f\u0430\u0440\u043e\u043b\u044c", "node"),
        ("\uff41lpha", "alpha"),
        ("../../etc/passwd", "etc-passwd"),
        ("\u202egpj.exe", "gpj-exe"),
    ],
)
def test_a_file_name_is_ascii_and_says_what_an_eye_read(title, slug):
    assert slugify(title) == slug


@given(st.text())
def test_any_title_makes_a_plain_name(title):
    slug = slugify(title)
    assert slug.isascii()
    assert slug.replace("-", "").isalnum()
    assert not slug.startswith("-")
    skeleton(title)
