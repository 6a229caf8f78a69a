"""What a sync says when it was stopped, refused or not pushed; and what is no obstacle to it."""

from __future__ import annotations

import os
import signal
import time

import pytest
from machines import assert_in_step, bare, edit, offline
from world import note

MINE = "cccccccc-3333-4333-8333-333333333333"


def test_a_push_that_failed_is_an_error_in_json(pair):
    _, two = pair
    hook = bare(two) / "hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho 'Closed today.' >&2\nexit 1\n")
    hook.chmod(0o755)
    two.new("Of two", env=offline(two))
    ran = two.run("sync", "--json")
    assert (ran.code, ran.json["ok"], ran.json["push"]) == (1, False, "behind")
    assert ran.json["error"]["code"] == "push"
    assert "Closed today." in ran.json["error"]["message"]
    hook.unlink()
    assert "error" not in two.ok("sync", "--json").json


def test_a_refusal_for_uncommitted_files_lists_them_all(pair):
    one, two = pair
    names = [f"n{number}.org" for number in range(5)]
    for name in names:
        one.write(name, note(f"Note {name}"))
        two.write(name, "something else\n")
    one.ok("commit")
    before = two.state().tree
    ran = two.run("sync", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (1, "uncommitted")
    assert ran.json["paths"] == names
    assert "n0.org, n1.org, n2.org and 2 more" in ran.json["error"]["message"]
    assert two.state().tree == before


def stopped(world, step, number, *words, command=("sync",)):
    """A command that gets a signal while its git is at a step, as from a terminal."""
    at = world.root / "at"
    world.fake("git", f'case " $* " in *" {step} "*) touch {at}; sleep 20;; esac; exec $REAL "$@"')
    process = world.start(*command, *words, start_new_session=True)
    deadline = time.monotonic() + 30
    while not at.exists():
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    os.kill(process.pid, number)
    ran = world.end(process)
    (world.bin / "git").unlink()
    return ran


def test_who_stops_it_before_the_merge_hears_that_nothing_was_changed(pair):
    one, two = pair
    one.new("Of one")
    ran = stopped(two, "fetch", signal.SIGTERM)
    assert ran.code == 130
    assert ran.err.strip() == "ai-kb: stopped: nothing was changed; running it again goes on"
    two.ok("sync")
    assert_in_step(one, two)


def test_who_stops_it_after_the_merge_hears_what_was_kept(pair):
    one, two = pair
    one.new("Of one")
    edit(two, "beta.org", "first.", "first of all.")
    ran = stopped(two, "push", signal.SIGINT, "--json")
    assert ran.code == 130
    assert ran.json["error"]["code"] == "stopped"
    assert f"committed here ({two.head()[:10]})" in ran.json["error"]["message"]
    two.ok("sync")
    one.ok("sync")
    assert_in_step(one, two)


def test_who_stops_a_write_while_it_is_pushed_hears_what_is_committed(pair):
    _, two = pair
    new = ("new", "--type", "reference", "--title", "T", "--slug", "slow")
    ran = stopped(two, "push", signal.SIGINT, "--json", command=new)
    assert ran.code == 130
    message = ran.json["error"]["message"]
    assert f"slow.org is committed here ({two.head()[:10]})" in message
    assert two.git("status", "--porcelain") == ""


def test_who_stops_an_index_while_it_is_pushed_hears_so_too(pair):
    _, two = pair
    two.write("mine.org", note("Mine", MINE))
    two.git("add", "mine.org")
    two.git("commit", "-q", "--no-verify", "-m", "past the index")
    ran = stopped(two, "push", signal.SIGINT, "--json", command=("index",))
    message = ran.json["error"]["message"]
    assert message.startswith(f"stopped: index.org is committed here ({two.head()[:10]})")


def test_what_is_not_committed_stops_the_next_write_no_longer_once_it_is_put_back(pair):
    one, two = pair
    edit(one, "alpha.org", "two.", "two of all.")
    one.ok("push")
    before = (two.store / "alpha.org").read_text()
    two.write("alpha.org", before + "Half.\n")
    assert "alpha.org" in two.ok("edit", "beta.org", "--add-tag", "x").err
    two.write("alpha.org", before)
    two.ok("edit", "beta.org", "--add-tag", "y")
    assert two.ok("status", "--json").json["unpushed"] == 0


@pytest.mark.parametrize("how", ["new", "edited", "removed"])
def test_what_is_not_committed_and_as_the_remote_has_it_is_no_obstacle(pair, how):
    one, two = pair
    if how == "new":
        one.write("mine.org", note("Mine", MINE))
    elif how == "edited":
        one.write("beta.org", one.at_head("beta.org").replace("first.", "first of all."))
    else:
        (one.store / "beta.org").unlink()
    words = ["beta.org"] if how == "removed" else []
    one.ok("commit", *words)
    for name in ("mine.org", "beta.org"):
        if (one.store / name).exists():
            two.write(name, (one.store / name).read_bytes())
        else:
            (two.store / name).unlink(missing_ok=True)
    two.ok("sync", "--dry-run")
    two.ok("sync")
    assert_in_step(one, two)


def test_it_is_no_obstacle_to_a_merge_either(pair):
    one, two = pair
    one.write("mine.org", note("Mine", MINE))
    one.ok("commit")
    edit(two, "beta.org", "first.", "first of all.")
    two.write("mine.org", (one.store / "mine.org").read_bytes())
    two.ok("sync")
    one.ok("sync")
    assert_in_step(one, two, sound=True)
