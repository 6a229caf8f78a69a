"""No secret reaches git, the disk, an answer or a log; and only a person allows one."""

from __future__ import annotations

import os
import pty
import random
import string
import subprocess
import sys

import pytest
from world import ALPHA, BETA, note

DICE = random.Random(4711)


def letters(count, among=string.ascii_letters + string.digits):
    return "".join(DICE.choice(among) for _ in range(count))


TOKEN = "ghp_" + letters(35) + "7"
PASSWORD = "Kestrel#" + letters(6) + "42"


def objects(world) -> bytes:
    """Every object of the repository, reachable or not."""
    return world.git("cat-file", "--batch-all-objects", "--batch", "--unordered", text=False)


def nowhere(world, ran, *secrets):
    """What was given is in no object, no answer, no log, and nowhere in the store's folder."""
    held = objects(world)
    places = {"git": held, "out": ran.out.encode(), "err": ran.err.encode()}
    for folder in (world.store, world.home / ".local/state", world.home / ".cache"):
        for path in folder.rglob("*"):
            if path.is_file():
                places[str(path)] = path.read_bytes()
    for secret in secrets:
        for form in (secret, secret.lower(), secret.lower().replace("_", "-").replace("#", "-")):
            found = [place for place, data in places.items() if form.encode() in data]
            assert found == [], f"{found}\n{ran.out}{ran.err}"


WAYS = {
    "body": (("new", "--type", "reference", "--title", "T", "--body-file", "-"), f"It is {TOKEN}.\n"),
    "password": (("new", "--type", "reference", "--title", "T", "--body-file", "-"),
                 f"Words.\n- password :: {PASSWORD}\n"),
    "title": (("new", "--type", "reference", "--title", f"Use {TOKEN} here"), ""),
    "source": (("new", "--type", "reference", "--title", "T", "--source", f"mail {TOKEN}"), ""),
    "slug": (("new", "--type", "reference", "--title", "T", "--slug", TOKEN), ""),
    "tag": (("new", "--type", "reference", "--title", "T", "--tag", TOKEN), ""),
    "bad tag": (("new", "--type", "reference", "--title", "T", "--tag", f"x {TOKEN}"), ""),
    "project": (("new", "--type", "reference", "--title", "T", "--project", TOKEN), ""),
    "type": (("new", "--type", TOKEN, "--title", "T"), ""),
    "append": (("edit", ALPHA, "--append-file", "-"), f"#+begin_src sh\nexport X={TOKEN}\n#+end_src\n"),
    "edit title": (("edit", ALPHA, "--title", TOKEN), ""),
    "edit tag": (("edit", ALPHA, "--add-tag", TOKEN), ""),
    "node": (("edit", TOKEN, "--add-tag", "x"), ""),
    "unknown option": (("new", f"--{TOKEN}"), ""),
    "argument": (("new", "--type", "reference", "--title", "T", TOKEN), ""),
    "link": (("edit", ALPHA, "--append-file", "-"), f"[[id:{TOKEN}][x]] [[id:{TOKEN}]]\n"),
}  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_whatever_way_a_secret_comes_it_stays_out_and_unshown(world, way):
    words, stdin = WAYS[way]
    ran = world.run(*words, "--json", stdin=stdin)
    assert ran.code in (1, 2), ran
    assert ran.json["ok"] is False
    nowhere(world, ran, TOKEN, PASSWORD)
    plain = world.run(*words, stdin=stdin)
    assert plain.code == ran.code
    nowhere(world, plain, TOKEN, PASSWORD)
    assert "Traceback" not in plain.err


def test_the_finding_says_where_and_what(world):
    ran = world.refused(*WAYS["password"][0], "--json", stdin=WAYS["password"][1])
    (finding,) = [f for f in ran.json["findings"] if f["severity"] == "error"]
    assert (finding["path"], finding["line"], finding["code"]) == (
        "standard input",
        2,
        "new-secret",
    )
    assert "password or token" in finding["message"]


def test_files_written_by_hand_captures_names_and_settings_are_refused(world):
    world.write("x.org", note("X", body=f"Bearer: {TOKEN}"))
    world.write("raw/page.txt", f"machine example.org login bob password {PASSWORD}\n")
    world.write(f"raw/{TOKEN}.txt", "nothing\n")
    world.write("ai-kb.toml", f'types = ["recipe"]  # {TOKEN}\n')
    world.write("good.org", note("Good"))
    ran = world.run("commit", "--json")
    assert ran.code == 1
    assert ran.json["committed"] == ["good.org"]
    assert len(ran.json["refused"]) == 4
    for secret in (TOKEN, PASSWORD):
        assert secret.encode() not in objects(world)
        assert secret not in ran.out + ran.err
    codes = {f["code"] for f in world.run("check", "--json").json["findings"]}
    assert "new-secret" in codes


def test_what_is_near_is_named_without_the_secret_in_it(world):
    """A file that lies about uncommitted, and that no write has refused yet, is near."""
    words = "Squash merges hide who did what, and bisect cannot find the commit that broke it."
    world.write("x.org", note(f"Never squash {TOKEN}", body=f"{words} password: {PASSWORD}"))
    new = ("new", "--type", "preference", "--title", "Never squash merges", "--body-file", "-")
    for further in ((), ("--json",)):
        for body in (words, "Merges that squash hide the commit."):
            ran = world.run(*new, *further, stdin=body)
            assert TOKEN not in ran.out + ran.err
            assert PASSWORD not in ran.out + ran.err
    assert "never squash" in (ran.out + ran.err).lower()


def test_a_message_is_scanned(world):
    world.write("good.org", note("Good"))
    ran = world.refused("commit", "-m", f"Rotate {TOKEN}")
    assert "commit message:1: error new-secret" in ran.err
    assert TOKEN not in ran.err


def committed_by_hand(world, path, text):
    """A commit that no gate has seen."""
    world.write(path, text)
    world.git("add", path)
    world.git("commit", "--no-verify", "-qm", "by hand")
    world.ok("index")


def test_an_old_secret_is_told_and_stops_no_other_edit(world):
    committed_by_hand(world, "alpha.org", note("Alpha", ALPHA, body=f"token: {TOKEN}"))
    ran = world.ok("edit", ALPHA, "--append-file", "-", stdin="More words.\n")
    assert "warning old-secret" in ran.err
    assert TOKEN not in ran.err
    world.git("mv", "alpha.org", "moved.org")
    world.ok("commit")
    assert "old-secret" in world.run("check", "--all").out
    world.refused("edit", ALPHA, "--append-file", "-", stdin=f"password: {PASSWORD}\n")


def test_the_hook_refuses_what_plain_git_would_take(world):
    for path in ("x.org", "raw/x.txt", ".env"):
        world.write(path, note("X", body=f"token: {TOKEN}"))
        world.git("add", "-f", path)
        ran = world.git("commit", "-qm", "x", check=False)
        assert ran.returncode == 1
        assert "new-secret" in ran.stdout + ran.stderr
        assert TOKEN not in ran.stdout + ran.stderr
        world.git("rm", "-qf", "--cached", path)
        (world.store / path).unlink()


def test_the_second_opinion_speaks_in_the_hook(world):
    world.write("raw/x.py", 'db_pass = "monkeybusiness"\nsecret_thing = "guestroom-opener"\n')
    world.git("add", "raw/x.py")
    ran = world.git("commit", "-qm", "x", check=False)
    assert ran.returncode == 1
    assert "possible-secret" in ran.stdout + ran.stderr or "new-secret" in ran.stdout + ran.stderr


def test_unpushed_commits_are_scanned_before_a_push(backed_up):
    world = backed_up
    before = world.git("rev-parse", "origin/main")
    committed_by_hand(world, "x.txt", f"token: {TOKEN}\n")
    world.git("rm", "-q", "x.txt")
    world.git("commit", "--no-verify", "-qm", "away")
    ran = world.run("push")
    assert ran.code == 1
    assert "holds a secret (GitHub token in x.txt)" in ran.err
    assert "doctor --history" in ran.err
    assert TOKEN not in ran.err
    ran = world.ok("edit", ALPHA, "--add-tag", "more", "--json")
    assert ran.json["push"] == "behind"
    assert world.git("rev-parse", "origin/main") == before
    world.git("reset", "-q", "--hard", "origin/main")
    world.ok("edit", ALPHA, "--add-tag", "more")
    assert world.git("rev-parse", "origin/main") != before


def test_a_message_of_an_unpushed_commit_is_scanned(backed_up):
    backed_up.git("commit", "--no-verify", "--allow-empty", "-qm", f"use {TOKEN}")
    ran = backed_up.run("push")
    assert ran.code == 1
    assert "commit message" in ran.err
    assert TOKEN not in ran.err


def test_history_is_searched_and_says_what_to_do(world):
    assert world.ok("doctor", "--history", "--json").json == {
        "ok": True,
        "secrets": [],
        "advice": [],
    }
    committed_by_hand(world, "x.org", note("X", body=f"token: {TOKEN}"))
    committed_by_hand(world, "x.org", note("X", body="clean"))
    committed_by_hand(world, "y.org", note("Y", body=f"password: {PASSWORD}"))
    ran = world.run("doctor", "--history")
    assert ran.code == 1
    assert "x.org: GitHub token\n" in ran.out
    assert "y.org: password or token (still there)\n" in ran.out
    assert "git filter-repo --replace-text" in ran.out
    assert TOKEN not in ran.out + ran.err
    rows = world.run("doctor", "--history", "--json").json["secrets"]
    found = [(row["path"], row["still_there"]) for row in rows if row["path"] != "index.org"]
    assert sorted(found) == [("x.org", False), ("y.org", True)]


def at_a_terminal(world, *words, answers="", **env):
    """What a person sees who answers at a terminal."""
    main, side = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "aikb", *words], stdin=side, stdout=side, stderr=side,
        env=world.environment(env), cwd=world.project, start_new_session=True,
    )  # fmt: skip
    os.close(side)
    os.write(main, answers.encode())
    seen = b""
    while True:
        try:
            data = os.read(main, 4096)
        except OSError:
            break
        if not data:
            break
        seen += data
    os.close(main)
    return child.wait(timeout=60), seen.decode()


def test_a_person_allows_a_secret_and_an_agent_does_not(world):
    world.write("x.org", note("X", body=f"token: {TOKEN}"))
    ran = world.refused("allow-secret", "x.org", stdin="allow\n")
    assert "only a person in a terminal" in ran.err
    code, seen = at_a_terminal(world, "allow-secret", "x.org", answers="allow\n", CLAUDECODE="1")
    assert code == 1
    code, seen = at_a_terminal(world, "allow-secret", "x.org", answers="no\n")
    assert (code, "nothing was allowed" in seen) == (0, True)
    code, seen = at_a_terminal(world, "allow-secret", "x.org", answers="allow\n")
    assert code == 0, seen
    assert TOKEN not in seen
    settings = world.at_head("ai-kb.toml")
    assert "[secrets]\nallow = [\n" in settings
    assert TOKEN not in settings
    world.ok("commit")
    assert TOKEN in world.at_head("x.org")
    world.ok("check", "--all")
    world.ok("doctor", "--history")


def test_a_person_allows_one_in_a_message(world):
    words = f"Rotate {TOKEN}"
    world.write("good.org", note("Good"))
    world.refused("allow-secret", "--message", stdin=f"{words}\nallow\n")
    world.refused("allow-secret", code=2)
    code, seen = at_a_terminal(world, "allow-secret", "x.org", "--message", answers="\n")
    assert code == 2, seen
    code, seen = at_a_terminal(world, "allow-secret", "--message", answers="Plain words\n")
    assert (code, "nothing here looks like a secret" in seen) == (0, True)
    code, seen = at_a_terminal(world, "allow-secret", "--message", answers=f"{words}\nno\n")
    assert (code, "nothing was allowed" in seen) == (0, True)
    world.refused("commit", "-m", words)
    code, seen = at_a_terminal(world, "allow-secret", "--message", answers=f"{words}\nallow\n")
    assert code == 0, seen
    assert TOKEN not in world.at_head("ai-kb.toml")
    assert "in commit message, " in world.at_head("ai-kb.toml")
    world.ok("commit", "-m", words)
    assert world.git("log", "-1", "--format=%s").strip() == words


def test_an_agent_cannot_put_a_hash_into_the_settings(world):
    from aikb.rules.credentials import find

    (secret,) = find(TOKEN)
    allow = f'types = ["recipe"]\n[secrets]\nallow = ["{secret.digest}"]\n'
    world.write("ai-kb.toml", allow)
    world.write("x.org", note("X", body=f"token: {TOKEN}"))
    ran = world.run("commit")
    assert ran.code == 1
    assert "ai-kb.toml:1: error allow-list" in ran.err
    assert "new-secret" in ran.err
    assert TOKEN.encode() not in objects(world)
    world.git("add", "ai-kb.toml")
    ran = world.git("commit", "-qm", "x", check=False)
    assert "allow-list" in ran.stdout + ran.stderr
    assert ran.returncode == 1


def test_a_log_of_a_bug_has_no_word_of_the_call(world):
    script = (
        "import sys; from aikb.cli import entry, main;"
        "import aikb.app; aikb.app.App.warm_up = lambda self: {}[sys.argv[4]];"
        "sys.exit(entry.main())"
    )
    words = ("new", "--type=reference", "--title", f"Lantern {PASSWORD}", "--tag", TOKEN)
    done = subprocess.run(
        [sys.executable, "-c", script, *words], env=world.env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 3
    (log,) = (world.home / ".local/state/ai-kb").glob("bug-*.log")
    text = log.read_text()
    assert text.startswith("ai-kb new --type=… --title … --tag …\nTraceback")
    for shown in (text, done.stdout, done.stderr):
        assert PASSWORD not in shown
        assert TOKEN not in shown
        assert "Lantern" not in shown


def test_links_to_a_clean_node_still_work(world):
    world.ok("edit", BETA, "--append-file", "-", stdin=f"Again [[id:{ALPHA[:8]}]].\n")
