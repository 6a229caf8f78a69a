"""A backup that refuses, is away or never answers: the commit stays, and is told and sent later."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time

import pytest
from world import ALPHA, World

NEW = ("new", "--type", "reference", "--title", "T")


def assert_behind(world, ran, *, count=1):
    """The write stands, and everybody says that it is not backed up."""
    assert ran.code == 0, ran.err
    assert "committed here, not pushed" in ran.err
    assert world.git("status", "--porcelain") == ""
    many = "1 commit is" if count == 1 else f"{count} commits are"
    assert f"{many} not pushed" in world.ok("status").out
    assert world.run("doctor").code == 1


def assert_caught_up(world, bare):
    assert world.git("rev-parse", "main", cwd=bare).strip() == world.head()
    assert world.ok("status", "--json").json["unpushed"] == 0


def test_each_write_is_pushed(backed_up):
    answer = backed_up.ok(*NEW, "--json").json
    assert (answer["pushed"], answer["push"]) == (True, "pushed")
    assert_caught_up(backed_up, backed_up.root / "backup.git")


def test_an_unreachable_remote_is_told_and_the_next_write_sends_both(backed_up):
    bare = backed_up.root / "backup.git"
    bare.rename(backed_up.root / "away")
    assert_behind(backed_up, backed_up.run(*NEW))
    answer = backed_up.ok("edit", ALPHA, "--add-tag", "x", "--json").json
    assert (answer["pushed"], answer["push"]) == (False, "behind")
    (backed_up.root / "away").rename(bare)
    backed_up.ok(*NEW)
    assert_caught_up(backed_up, bare)


def test_a_remote_that_refuses_is_told_in_its_own_words(backed_up):
    bare = backed_up.root / "backup.git"
    hook = bare / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho no room today >&2\nexit 1\n")
    hook.chmod(0o755)
    ran = backed_up.run(*NEW)
    assert_behind(backed_up, ran)
    assert "pre-receive hook declined" in ran.err
    hook.unlink()
    backed_up.ok("push")
    assert_caught_up(backed_up, bare)


def test_a_remote_that_is_ahead_is_merged_with_and_never_written_over(backed_up, tmp_path_factory):
    bare = backed_up.root / "backup.git"
    second = World(tmp_path_factory.mktemp("second"))
    second.ok("init", "--origin", bare)
    second.new("From the second")
    ahead = second.head()
    assert "not pushed" not in backed_up.ok(*NEW).err
    assert_caught_up(backed_up, bare)
    assert backed_up.git("merge-base", "--is-ancestor", ahead, "main", cwd=bare) == ""
    assert "| From the second |" in backed_up.at_head("index.org")


def test_a_try_that_took_long_is_not_repeated_at_once(backed_up):
    slow = 'case " $* " in *" push "*) sleep 1.2; exit 1;; esac; exec $REAL "$@"'
    backed_up.fake("git", slow)
    assert "not pushed" in backed_up.ok(*NEW).err
    backed_up.fake("git", f'echo "$@" >> {backed_up.root}/calls; exec $REAL "$@"')
    ran = backed_up.ok("edit", ALPHA, "--add-tag", "x")
    assert "the next try is in" in ran.err
    assert " push " not in (backed_up.root / "calls").read_text()
    assert "the next try is in" in backed_up.ok("push", "--if-due").err
    status = backed_up.ok("status", "--json").json
    assert (status["unpushed"], bool(status["behind_since"]), bool(status["last_try"])) == (
        2,
        True,
        True,
    )
    assert "commits behind since" in backed_up.run("doctor").out
    backed_up.ok("push")
    assert backed_up.ok("push", "--if-due", "--json").json["push"] == "unchanged"
    assert_caught_up(backed_up, backed_up.root / "backup.git")


@pytest.mark.parametrize("by", ["push --if-due", "hook session-start"])
def test_a_session_that_begins_sends_what_is_left(backed_up, by):
    away = backed_up.root / "away"
    bare = backed_up.root / "backup.git"
    bare.rename(away)
    backed_up.ok(*NEW)
    away.rename(bare)
    event = {"hook_event_name": "SessionStart", "session_id": "s", "cwd": str(backed_up.project)}
    backed_up.ok(*by.split(), stdin=json.dumps(event))
    deadline = time.monotonic() + 30
    while backed_up.git("rev-parse", "main", cwd=bare).strip() != backed_up.head():
        assert time.monotonic() < deadline
        time.sleep(0.1)
    assert_caught_up(backed_up, bare)


@contextlib.contextmanager
def silent_server():
    """A server that takes connections and never says a word."""
    server = socket.create_server(("127.0.0.1", 0))
    held = []

    def serve():
        with contextlib.suppress(OSError):
            while True:
                held.append(server.accept())

    threading.Thread(target=serve, daemon=True).start()
    yield server.getsockname()[1]
    server.close()
    for connection, _ in held:
        connection.close()


@pytest.mark.parametrize("scheme", ["http", "git"])
def test_a_remote_that_never_answers_is_given_up(world, scheme):
    world.settings("[seconds]\npush = 1.0\n")
    with silent_server() as port:
        world.git("remote", "add", "origin", f"{scheme}://127.0.0.1:{port}/kb.git")
        start = time.monotonic()
        ran = world.run(*NEW)
        assert time.monotonic() - start < 10
    assert ran.code == 0
    assert "not pushed: no answer in time" in ran.err


@pytest.mark.parametrize("script", ["exec sleep 878", "setsid sleep 9 & wait"])
def test_an_ssh_that_never_answers_is_given_up_with_its_children(world, script):
    world.settings("[seconds]\npush = 1.0\n")
    world.fake("ssh", script)
    world.git("remote", "add", "origin", "ssh://nobody@nowhere.invalid/kb.git")
    start = time.monotonic()
    ran = world.run(*NEW)
    assert time.monotonic() - start < 8
    assert ran.code == 0
    assert "not pushed: no answer in time" in ran.err


def test_ssh_is_told_to_ask_nothing_and_has_no_terminal(world):
    script = (
        f'printf "%s\\n" "$@" > {world.root}/words; (: < /dev/tty) 2> {world.root}/tty; exit 255'
    )
    world.fake("ssh", script)
    world.git("remote", "add", "origin", "ssh://nobody@nowhere.invalid/kb.git")
    assert "not pushed" in world.ok(*NEW).err
    assert "-oBatchMode=yes" in (world.root / "words").read_text()
    assert "No such device" in (world.root / "tty").read_text()


@pytest.mark.parametrize("how", ["core.sshCommand", "GIT_SSH", "GIT_SSH_COMMAND"])
def test_a_persons_own_way_to_ssh_is_taken_and_the_repositorys_is_not(world, how):
    """A deploy key stands in the person's settings; what stands in the store's is nobody's word."""
    for name in ("ssh", "my-ssh", "evil-ssh"):
        world.fake(name, f'echo "$@" > {world.root}/{name}.ran; exit 255')
    world.git("remote", "add", "origin", "ssh://nobody@nowhere.invalid/kb.git")
    world.git("config", "core.sshCommand", "evil-ssh")
    env = {}
    if how == "core.sshCommand":
        world.git("config", "--global", how, "my-ssh -i key")
    else:
        env[how] = "my-ssh"
    assert "not pushed" in world.ok(*NEW, env=env).err
    said = (world.root / "my-ssh.ran").read_text()
    assert ("-i key" in said and "-oBatchMode=yes" in said) is (how == "core.sshCommand")
    assert not (world.root / "ssh.ran").exists()
    assert not (world.root / "evil-ssh.ran").exists()


def test_a_remote_that_wants_a_password_gets_none(world):
    """git asks a helper, then the terminal; neither may be reached."""
    import http.server

    class Wants(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="x"')
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Wants)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    world.git("remote", "add", "origin", f"http://127.0.0.1:{server.server_port}/kb.git")
    start = time.monotonic()
    env = {"GIT_ASKPASS": "/bin/cat", "SSH_ASKPASS": "/bin/cat", "DISPLAY": ":0"}
    ran = world.run(*NEW, env=env)
    server.shutdown()
    assert time.monotonic() - start < 10
    assert ran.code == 0
    assert "not pushed" in ran.err


def test_two_pushers_do_not_get_into_each_others_way(backed_up):
    started = [backed_up.start("push") for _ in range(4)]
    assert [backed_up.end(process).code for process in started] == [0, 0, 0, 0]
