"""Our hooks in a settings text of any layout: put in, found, taken out, every other byte kept."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aikb.errors import ConfigError
from aikb.formats.json_text import JsonTextError, scan
from aikb.provision.agent_settings import (
    EVENTS,
    SECONDS,
    has_hooks,
    is_ours,
    with_hooks,
    without_hooks,
)

PROGRAM = "/home/a b/.local/bin/ai-kb"
OTHER = '{"matcher": "startup", "hooks": [{"type": "command", "command": "echo hi"}]}'


def put(text):
    return with_hooks(text, PROGRAM, "settings.json")


def take(text):
    return without_hooks(text, "settings.json")


def registered(text, event):
    groups = json.loads(text.removeprefix("\ufeff"))["hooks"][event]
    return [entry for group in groups for entry in group["hooks"] if is_ours(entry)]


LAYOUTS = [
    '{"a":1}',
    '{"a": 1}',
    '{ "a": 1 }',
    '{\n  "a": 1\n}\n',
    '{\n\t"a": {"b": [1, 2, "}"]},\n\t"c": null\n}',
    '{\r\n    "a": 1\r\n}\r\n',
    '\ufeff{\n "a": 1\n}\n',
    '\n\n{\n  "a": "\\"{[,:]}"   ,\n\n  "b": [\n  ]\n}\n\n',
    f'{{"hooks": {{"SessionStart": [{OTHER}]}}, "z": 1}}',
    f'{{\n  "hooks": {{\n    "SessionEnd": [\n      {OTHER}\n    ],\n    "Stop": []\n  }},\n  "z": 1\n}}\n',
    '{"hooks":{"Stop":[]},"Ünï":"côdé"}',
]


@pytest.mark.parametrize("text", LAYOUTS)
def test_hooks_go_in_and_come_out_again_without_a_trace(text):
    there = put(text)
    for event in EVENTS:
        (entry,) = registered(there, event)
        assert entry == {
            "type": "command",
            "command": f"'/home/a b/.local/bin/ai-kb' hook {EVENTS[event]}",
            "timeout": SECONDS,
        }
    assert put(there) == there, "a second time changes nothing"
    assert has_hooks(there)
    assert not has_hooks(text)
    assert take(there) == text
    assert take(text) == text


@pytest.mark.parametrize("text", LAYOUTS)
def test_what_is_there_keeps_its_order_and_its_bytes(text):
    there = put(text)
    place = 0
    for character in text.strip("\ufeff"):
        place = there.find(character, place) + 1
        assert place, "every character of the old text, in its order"
    old, new = json.loads(text.removeprefix("\ufeff")), json.loads(there.removeprefix("\ufeff"))
    assert [key for key in new if key != "hooks"] == [key for key in old if key != "hooks"]
    assert all(new[key] == value for key, value in old.items() if key != "hooks")


def test_the_layout_of_the_neighbours_is_taken_over():
    assert put('{\r\n\t"a": 1\r\n}').startswith(
        '{\r\n\t"a": 1,\r\n\t"hooks": {\r\n\t\t"SessionStart": [\r\n'
    )
    assert "\n" not in put('{"a": 1}')
    assert put('{"a":1}').startswith('{"a":1,"hooks":{"SessionStart":[{"hooks":[{"type":"command",')
    assert put("") == put("{}") + "\n"
    assert put("{}").startswith('{\n  "hooks": {\n    "SessionStart": [\n')


_KEYS = st.text(max_size=5)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=100)
@given(
    st.dictionaries(_KEYS.filter(lambda k: k != "hooks"), _JSON, max_size=4),
    st.sampled_from([None, 1, 2, 4, "\t"]),
    st.booleans(),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["", "\n"]),
)
def test_any_settings_in_any_layout(value, indent, ascii_, eol, end):
    text = (json.dumps(value, indent=indent, ensure_ascii=ascii_) + end).replace("\n", eol)
    there = put(text)
    assert json.loads(there) == value | {"hooks": json.loads(there)["hooks"]}
    assert put(there) == there
    assert take(there) == text


def test_an_entry_of_another_place_or_without_time_is_renewed_once():
    for old in (
        {
            "type": "command",
            "command": "/old/checkout/.venv/bin/ai-kb hook session-start",
            "timeout": 10,
        },
        {"type": "command", "command": f"'{PROGRAM}' hook session-start"},
        {"type": "command", "command": "sh '/x/hooks/ai-kb.sh' hook session-start", "timeout": 10},
    ):
        mine = {"type": "command", "command": "echo mine"}
        groups = [{"matcher": "startup", "hooks": [mine, old, old]}, {"hooks": [old]}]
        text = json.dumps({"hooks": {"SessionStart": groups}}, indent=2)
        there = put(text)
        assert len(registered(there, "SessionStart")) == 1
        assert put(there) == there
        assert json.loads(there)["hooks"]["SessionStart"][0] == {
            "matcher": "startup",
            "hooks": [mine],
        }
        assert json.loads(take(there)) == {
            "hooks": {"SessionStart": [{"matcher": "startup", "hooks": [mine]}]}
        }


def test_only_our_own_command_is_ours():
    for command in (
        "ai-kb hook session-start",
        "/a/ai-kb hook session-end",
        "'/a b/ai-kb' hook session-end",
        'sh "${CLAUDE_PLUGIN_ROOT}/hooks/ai-kb.sh" hook session-end',
    ):
        assert is_ours({"command": command})
    for command in (
        "my-ai-kb-tool session-start",
        "ai-kb status",
        "echo hook session-start",
        "ai-kb hook step x",
        3,
    ):
        assert not is_ours({"command": command})
    assert not is_ours("ai-kb hook session-start")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('{\n  // words\n  "a": 1\n}', 2),
        ('{\n  "a": 1\n,\n  }', "[34]"),  # which of the two, Pythons differ
        ('{"a": 1', 1),
        ("[]", 1),
        ('"words"', 1),
        ('{\n"hooks": []}', 2),
        ('{"hooks": {\n"SessionStart": {}}}', 2),
        ('{"hooks": {"SessionEnd": [\n3]}}', 2),
        ('{"hooks": {"SessionEnd": [{"hooks":\n {}}]}}', 2),
        ('{"hooks": {},\n"hooks": {}}', 2),
        ('{"a": NaN}', 1),
        ("[" * 100_000, 1),
    ],
)  # fmt: skip
def test_what_the_agent_would_not_read_is_refused_with_its_line(text, line):
    for change in (put, take):
        with pytest.raises(ConfigError, match=rf"line {line}:") as caught:
            change(text)
        assert "Nothing was changed" in caught.value.hint


@given(st.text(alphabet='{}[]",:1a \n\\', max_size=30))
def test_the_scanner_takes_just_what_json_takes(text):
    try:
        pairs = []
        json.loads(text, object_pairs_hook=lambda found: pairs.append([key for key, _ in found]))
    except ValueError:
        with pytest.raises(JsonTextError):
            scan(text)
        return
    if all(len(keys) == len(set(keys)) for keys in pairs):
        value = scan(text)
        assert text[value.start : value.end] == text.strip(" \t\r\n")
    else:
        with pytest.raises(JsonTextError, match="twice"):
            scan(text)
