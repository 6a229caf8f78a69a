"""Credentials of every format are found, in every form that a note can give them; words are not."""

from __future__ import annotations

import re

import pytest
from credential_samples import ONE_LINE, SHAPES, samples
from hypothesis import given
from hypothesis import strategies as st

from aikb.rules.credential_brief import blot_brief
from aikb.rules.credential_text import decode, normalise
from aikb.rules.credentials import blot, digest_of, find, is_allowed

RECALL = 0.98
ALL = samples(3)
ONE_EACH = ALL[::3]
SHORT = [sample for sample in ONE_EACH if "\n" not in sample[2]]


def recall(texts):
    """The share of (kind, text) in which something is found, and what was missed, by kind."""
    missed = [kind for kind, text in texts if not find(f"Words.\n\n{text}\n\nMore words.\n")]
    return 1 - len(missed) / len(texts), missed


@pytest.mark.parametrize("kind", sorted({kind for kind, _, _ in ALL}))
def test_each_format_is_found(kind):
    share, missed = recall([(t, s) for k, t, s in ALL if k == kind])
    assert share >= RECALL, missed


def test_there_are_sixty_formats_and_three_of_each():
    kinds = [kind for kind, _, _ in ALL]
    assert len(set(kinds)) >= 60
    assert min(map(kinds.count, set(kinds))) >= 3
    assert len({text for _, _, text in ALL}) >= len(ALL) - 5


@pytest.mark.parametrize("place", ONE_LINE)
def test_they_are_found_in_every_part_of_an_org_file(place):
    share, missed = recall([(t, ONE_LINE[place].replace("{}", s)) for _, t, s in SHORT])
    assert share >= RECALL, missed


@pytest.mark.parametrize("shape", SHAPES)
def test_they_are_found_broken_over_lines_and_with_hidden_characters(shape):
    share, missed = recall([(t, SHAPES[shape](s)) for _, t, s in ONE_EACH])
    assert share >= RECALL, missed


def test_a_finding_has_the_line_where_the_secret_begins():
    for _, template, text in SHORT:
        for broken in (text, SHAPES["cut in two"](text), SHAPES["zero width"](text)):
            found = find(f"é\nfirst\nﬁ\n\n{broken}\n\nlast\n")
            assert found, template
            assert found[0].line in {5, 6}, template
    body = "".join(f"{n}\n" for n in range(9)) + "password: Kestrel#4711\n"
    assert [secret.line for secret in find(body)] == [10]


def test_a_table_is_read_by_its_columns():
    table = "| host | user | password |\n|------+------+----------|\n| a | bob | Quartz#4711 |\n"
    assert [(s.line, s.value) for s in find(table)] == [(3, "Quartz#4711")]


def test_an_encoding_hides_nothing():
    text = f"token {ONE_EACH[12][2]}"
    for data in (text.encode("utf-16"), text.encode("utf-16-le"), b"\0\1\xff" + text.encode()):
        assert find(decode(data)), ONE_EACH[12][1]


NOTHING = """
:ID:       0b9d3f2e-6c1a-4e57-9a53-2f8d1c7e4b60
commit 2fd4e1c67a2d28fced849ee1bb76e7391b93eb12
sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
MD5 (file) = 9e107d9d372bb6826bd81d3542a419d6
index 83db48f84ec878fbfb30b46d16630e944e34f205..5f2f16bfff90e6620509c0cf442e7a3586dad8fb 100644
"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="
docker pull alpine@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
password: <token>
password = $TOKEN
password: ${DB_PASSWORD}
password: xxxxxxxx
password: ********
password = your-api-key-here
api_key: "…"
api_key = os.environ["API_KEY"]
token = getpass.getpass()
Authorization: Bearer <token>
Authorization: Bearer $TOKEN
export GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
export AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE
postgres://user:password@localhost/db
https://user:<password>@example.org/
machine example.org login bob password <secret>
the password is kept in pass, under work/mail
A password should be long; a token should expire, and a secret be shared with nobody.
password: string
password: sha256
token: OAuth2
secret: none
The token is refreshed by refresh_access_token().
git clone git@github.com:user/repo.git
ssh://git@example.org:22/repo
-----BEGIN RSA PRIVATE KEY-----
The line -----BEGIN RSA PRIVATE KEY----- begins a key, and a person knows it when they see it.
-----BEGIN PUBLIC KEY-----
--password-store=gnome
[[id:0b9d3f2e-6c1a-4e57-9a53-2f8d1c7e4b60][The secret of token rotation]]
sk-learn-contrib-something-quite-long-but-words
password-generation-with-diceware-is-good.org
| password | what it is |
""".strip().splitlines()


@pytest.mark.parametrize("line", NOTHING)
def test_what_is_no_secret_is_not_taken_for_one(line):
    assert find(f"Words.\n\n{line}\nMore words.\n") == []


WORDS = tuple(
    """the a node note secret password token key commit hash release build system memory login user
account policy rotate store vault manager private public api access header bearer basic session""".split()
)
PROSE = st.lists(
    st.one_of(
        st.sampled_from(WORDS),
        st.uuids().map(str),
        st.binary(min_size=20, max_size=20).map(bytes.hex),
        st.binary(min_size=32, max_size=32).map(bytes.hex),
        st.binary(min_size=4, max_size=4).map(bytes.hex),
        st.sampled_from([".", ",", "\n", "\n\n", "(", ")", "- ", "\n* "]),
    ),
    max_size=60,
)


@given(PROSE)
def test_prose_of_words_ids_and_hashes_never_trips(words):
    text = " ".join(words)
    assert [(s.kind, s.line) for s in find(text)] == []


@given(st.text(max_size=200))
def test_any_text_is_read_and_keeps_its_lines(text):
    find(text)
    assert normalise(text).count("\n") == text.count("\n")


def test_blotting_leaves_nothing_of_a_secret():
    for _, template, text in SHORT:
        for secret in find(text):
            assert secret.value not in blot(f"Refused '{text}' here"), template
            assert secret.value not in repr(secret)


def test_a_known_secret_is_blotted_out_in_other_forms():
    (secret,) = find("password: Kestrel-Bridge-4711")
    for form in (
        "kestrel-bridge-4711",
        "x-kestrel-bridge",
        "Kestrel_Bridge_4711",
        "KESTREL BRIDGE",
    ):
        assert not re.search("(?i)kestrel.bridge", blot(f"20260101-{form}.org", [secret]))


def test_a_hash_allows_whatever_lines_the_secret_was_wrapped_over():
    (whole,) = find("token: " + "Qx7kW2mZ9" * 3)
    digest = digest_of("Qx7kW2mZ9Qx7kW2m\n  Z9Qx7kW2mZ9")
    assert whole.digest == digest
    assert is_allowed(digest, [digest[:16]])
    assert not is_allowed(digest, [digest[:15], "", "0" * 32])


@pytest.mark.parametrize(
    "place", ["{}", "See {} for it.", "\u4e2d\u6587{}\u3002", "It is \u200b{}."]
)
def test_the_quick_look_at_a_title_lets_none_of_them_through(place):
    lines = [place.replace("{}", " ".join(s.split())) for _, _, s in ALL]
    found = [line for line in lines if find(line)]
    assert len(found) > len(lines) // 2
    assert [line for line in found if blot_brief(line) != blot(line)] == []


def test_a_title_of_words_is_looked_at_no_further(monkeypatch):
    monkeypatch.setattr("aikb.rules.credentials.blot", lambda _: pytest.fail("asked"))
    for line in (
        "Restore a backup",
        "2026-01-02: Seven notes on trees",
        "Wie man Schl\u00fcssel verwahrt",
    ):
        assert blot_brief(line) == line
