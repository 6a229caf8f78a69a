"""Many writers on one store, many machines on one remote, and long sequences against the model."""

from __future__ import annotations

from clones import converge
from crowd import crowd
from test_model import run_model


def test_eight_processes_with_200_writes_each(world, share):
    crowd(world, 8, share(200))


def test_four_machines_with_50_writes_each_converge(template, tmp_path, seed, share):
    print(converge(template, tmp_path, seed, 4, share(50)))


def test_the_store_is_what_the_model_says_for_long(template, share):
    run_model(template, share(40), 40, derandomize=False)
