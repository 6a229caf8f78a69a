"""Machines that write and sync at the same time, with an Emacs that saves; four of them: `make test-faults`."""

from __future__ import annotations

from clones import converge


def test_two_machines_at_once_converge(template, tmp_path):
    told = converge(template, tmp_path, seed=2, clones=2, writes=3)
    assert told["writes"] == 6
    assert told["saves"] >= 1
