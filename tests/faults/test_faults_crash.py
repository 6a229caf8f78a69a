"""SIGKILL, a full disk and lost rights at every step of every write, and at random instants."""

from __future__ import annotations

from crashing import crash_at_every_step, crash_at_instants
from disks import root_only
from operations import OPERATIONS, SYNCING
from test_fail_full import full_at_steps
from test_fail_permission import PLACES, locked_at_steps

EVERYTHING = [*OPERATIONS, *SYNCING]


def test_killed_at_every_step(backed_up, trials):
    stride = max(1, 500 // trials)
    print(crash_at_every_step(backed_up, stride, EVERYTHING))


def test_killed_at_random_instants(backed_up, chance, trials):
    print(crash_at_instants(backed_up, chance, trials, EVERYTHING))


@root_only
def test_a_full_disk_at_every_step(small_disk, trials):
    full_at_steps(small_disk, OPERATIONS, max(1, 500 // trials))


def test_rights_lost_at_every_step(world, trials):
    locked_at_steps(world, OPERATIONS[:3], PLACES, max(3, 1500 // trials))
