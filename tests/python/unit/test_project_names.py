"""Which project a directory is: from the remote's address in every form, else the directory's name."""

from __future__ import annotations

import os
import subprocess

import pytest

from aikb.errors import DiskError
from aikb.recall.project import find_note, project_names, remote_name


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://example.org/owner/my-app.git", "my-app"),
        ("https://user:p%40ss@example.org:8443/owner/my-app/", "my-app"),
        ("https://example.org/owner/my-app.git/?x=y#z", "my-app"),
        ("https://example.org/owner/my%20app.git", "my app"),
        ("ssh://git@example.org:22/owner/my-app.git", "my-app"),
        ("ssh://git@[::1]:22/~owner/my-app", "my-app"),
        ("git+ssh://git@example.org/my-app.git", "my-app"),
        ("git://example.org/my-app.git", "my-app"),
        ("git@example.org:owner/my-app.git", "my-app"),
        ("git@example.org:my-app.git", "my-app"),
        ("alias:owner/my-app", "my-app"),
        ("[::1]:owner/my-app.git", "my-app"),
        ("file:///srv/git/my-app.git", "my-app"),
        ("/srv/git/my-app.git", "my-app"),
        ("/home/me/my-app/.git", "my-app"),
        ("../my-app", "my-app"),
        ("~/git/my-app.git/", "my-app"),
        ("C:\\src\\my-app", "my-app"),
        ("ext::sh -c evil%20my-app", ":sh -c evil%20my-app"),
        ("https://example.org", ""),
        ("https://example.org/..", ""),
        ("", ""),
        (".git", ""),
    ],
)  # fmt: skip
def test_remote_names(url, name):
    assert remote_name(url) == name


def git(*words, cwd):
    who = [
        "-c",
        "user.name=P",
        "-c",
        "user.email=p@example.org",
        "-c",
        "protocol.file.allow=always",
    ]
    subprocess.run(["git", *who, *words], cwd=cwd, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path):
    root = tmp_path / "folder name"
    (root / "deep/er").mkdir(parents=True)
    git("init", "-q", "-b", "main", cwd=root)
    git("commit", "-q", "--allow-empty", "-m", "x", cwd=root)
    return root


def test_a_directory_without_repository_is_its_name(tmp_path):
    (tmp_path / "Plain Äpp!").mkdir()
    assert project_names(str(tmp_path / "Plain Äpp!")) == ("Plain-Äpp",)
    assert project_names("/") == ()


def test_a_repository_is_its_remote_then_its_folder_from_anywhere_in_it(repository):
    assert project_names(str(repository / "deep/er")) == ("folder-name",)
    git("remote", "add", "fork", "https://example.org/me/forked.git", cwd=repository)
    assert project_names(str(repository / "deep/er")) == ("forked", "folder-name")
    git("remote", "add", "origin", "git@example.org:me/real.git", cwd=repository)
    assert project_names(str(repository)) == ("real", "folder-name")


def test_a_linked_work_tree_has_the_names_of_its_repository(repository, tmp_path):
    git("worktree", "add", "-q", str(tmp_path / "fix-123"), cwd=repository)
    assert project_names(str(tmp_path / "fix-123")) == ("folder-name", "fix-123")
    git("remote", "add", "origin", "https://example.org/real", cwd=repository)
    assert project_names(str(tmp_path / "fix-123")) == ("real", "folder-name", "fix-123")


def test_work_trees_of_a_bare_repository(repository, tmp_path):
    for bare, name in (("tool.git", "tool"), ("place/.bare", "place")):
        git("clone", "-q", "--bare", str(repository), str(tmp_path / bare), cwd=tmp_path)
        git("remote", "remove", "origin", cwd=tmp_path / bare)
        tree = tmp_path / f"tree-{name}"
        git("worktree", "add", "-q", str(tree), "main", cwd=tmp_path / bare)
        assert project_names(str(tree)) == (name, f"tree-{name}")


def test_a_submodule_has_its_own_name(repository, tmp_path):
    git("init", "-q", str(tmp_path / "outer"), cwd=tmp_path)
    git("submodule", "add", "-q", str(repository), "inner", cwd=tmp_path / "outer")
    assert project_names(str(tmp_path / "outer/inner")) == ("folder-name", "inner")


def test_the_configuration_is_read_as_git_does_and_nothing_in_it_is_run(repository, tmp_path):
    (tmp_path / "included").write_text('[remote "origin"]\n\turl = included\n')
    (repository / ".git/config").write_text(
        f"[include]\n\tpath = {tmp_path}/included\n"
        '[core]\n\tfsmonitor = "touch ran"\n\tsshCommand = touch ran\n'
        '# [remote "origin"] url = commented\n'
        '[remote "ori\\"gin"]\n\turl = odd\n'
        '[Remote "origin"] URL = "https://example.org/a;c/re\\\nal.git" ; comment\n\turl = second\n'
        '[branch "main"]\n\turl = wrong\n'
    )
    assert project_names(str(repository)) == ("real", "folder-name")
    assert not list(tmp_path.rglob("ran"))


DAMAGES = ['[remote "origin"', "\x00\xff\n=\n[", "url = x", "", '[remote "origin"]\nurl\n']


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_configuration_leaves_the_folders_name(repository, damage):
    (repository / ".git/config").write_text(damage, encoding="utf-8")
    assert project_names(str(repository)) == ("folder-name",)


def test_a_pipe_where_a_file_should_be_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / ".git")
    assert project_names(str(tmp_path)) == (tmp_path.name,)
    other = tmp_path / "other"
    (other / ".git").mkdir(parents=True)
    os.mkfifo(other / ".git/config")
    assert project_names(str(other)) == ("other",)


@pytest.mark.parametrize(
    "pointer", ["gitdir: nowhere", "gitdir:", "gitdir: a\0b", "words", "gitdir: ."]
)
def test_a_pointer_that_leads_nowhere(tmp_path, pointer):
    place = tmp_path / "place"
    place.mkdir()
    (place / ".git").write_text(pointer)
    assert project_names(str(place))[-1] in {"place", tmp_path.name}


def test_a_note_is_found_by_the_first_name_whatever_its_case(tmp_path):
    folder = tmp_path / "project"
    assert find_note(str(tmp_path), ["real"]) is None
    folder.mkdir()
    (folder / "Real.md").write_text("It is real.")
    (folder / "tree.md").write_text("It is a tree.")
    assert find_note(str(tmp_path), ["real", "tree"]).path == "project/Real.md"
    assert find_note(str(tmp_path), ["none", "tree"]).note.description == "It is a tree."
    assert find_note(str(tmp_path), ["none"]) is None
    (folder / "real.md").write_text("Exactly.")
    assert find_note(str(tmp_path), ["real"]).note.description == "Exactly."


def test_a_note_that_is_no_plain_file_is_an_error_that_names_it(tmp_path):
    (tmp_path / "project").mkdir()
    os.mkfifo(tmp_path / "project/real.md")
    with pytest.raises(DiskError, match=r"project/real\.md"):
        find_note(str(tmp_path), ["real"])
