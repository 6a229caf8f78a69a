"""``check --stdin-as``: a text as if it stood in a file of the store; what editors call."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[3]


@pytest.fixture
def aikb(tmp_path):
    """Run the command in a home of its own and give its exit code, JSON, and errors."""
    env = {
        "PATH": os.environ["PATH"],
        "LC_ALL": "C.UTF-8",
        "HOME": str(tmp_path),
        "XDG_RUNTIME_DIR": str(tmp_path),
        "AI_KB_HOME": str(tmp_path / "kb é"),
        "PYTHONPATH": str(CHECKOUT / "python"),
    }

    def run(*words, text=b"", cwd=tmp_path):
        done = subprocess.run(
            [sys.executable, "-m", "aikb", *words, "--json"],
            env=env, input=text, capture_output=True, timeout=60, check=False, cwd=cwd,
        )  # fmt: skip
        return done.returncode, json.loads(done.stdout), done.stderr.decode()

    assert run("init")[0] == 0
    return run


@pytest.fixture
def node(aikb, tmp_path):
    path = aikb("new", "--type", "principle", "--title", "One")[1]["path"]
    return tmp_path / "kb é" / path


def findings(answer):
    return [(f["path"], f["line"], f["severity"], f["code"]) for f in answer[1]["findings"]]


def test_its_own_id_is_no_duplicate(aikb, node):
    """Which it is when the same text is checked as a file beside the store."""
    text = node.read_bytes() + b"More.\n"
    assert findings(aikb("check", "--stdin-as", str(node), text=text)) == []
    copy = node.parent.parent / node.name
    copy.write_bytes(text)
    assert "duplicate-id" in {code for *_, code in findings(aikb("check", str(copy)))}


def test_the_text_is_judged_and_not_the_file(aikb, node):
    before = node.read_bytes()
    answer = aikb("check", "--stdin-as", str(node), text=before + b"#+begin_src sh\nls\n")
    assert answer[0] == 1
    assert (node.name, 11, "error", "unclosed-block") in findings(answer)
    assert {line for _, line, *_ in findings(answer)} == {11}
    assert node.read_bytes() == before


def test_links_are_resolved_in_the_store(aikb, node):
    target = aikb("new", "--type", "principle", "--title", "Two")[1]["id"]
    good = node.read_bytes() + f"[[id:{target}][Two]]\n".encode()
    assert findings(aikb("check", "--stdin-as", str(node), text=good)) == []
    bad = node.read_bytes() + b"[[id:11111111-2222-4333-8444-555555555555][x]]\n"
    assert findings(aikb("check", "--stdin-as", str(node), text=bad)) == [
        (node.name, 11, "error", "dangling-link")
    ]


def test_emacs_is_asked_too(aikb, node):
    text = node.read_bytes() + b"#+begin_src sh\nls\n"
    codes = {code for *_, code in findings(aikb("check", "--stdin-as", str(node), text=text))}
    assert "org-lint-invalid-block" in codes


def test_a_file_that_is_not_there_yet(aikb, node):
    text = node.read_bytes().replace(b"#+title: One", b"#+title: Copy")
    path = node.parent / "new.org"
    answer = aikb("check", "--stdin-as", str(path), text=text)
    assert ("new.org", "duplicate-id") in {(path, code) for path, _, _, code in findings(answer)}


def test_a_relative_name_and_a_link_to_the_store(aikb, node, tmp_path):
    (tmp_path / "link").symlink_to(node.parent)
    text = node.read_bytes()
    assert findings(aikb("check", "--stdin-as", f"link/{node.name}", text=text)) == []
    assert findings(aikb("check", "--stdin-as", node.name, text=text)) == []


def test_captures_and_generated_pages_are_not_judged(aikb, node):
    bad = b"#+begin_src\n"
    assert findings(aikb("check", "--stdin-as", str(node.parent / "raw/x.org"), text=bad)) == []
    page = node.parent / "index.org"
    assert findings(aikb("check", "--stdin-as", str(page), text=page.read_bytes())) == []


@pytest.mark.parametrize(
    "words",
    [("--stdin-as", "x.org", "--all"), ("--stdin-as", "x.org", "y.org"), ("--stdin-as", "/")],
)
def test_wrong_usage(aikb, words):
    assert aikb("check", *words)[0] == 2


def test_status_names_the_types_of_the_store(aikb, node):
    (node.parent / "ai-kb.toml").write_text('types = ["recipe"]\n')
    types = aikb("status")[1]["types"]
    assert types[0] == "principle"
    assert types[-1] == "recipe"
