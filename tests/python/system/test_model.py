"""Any sequence of commands, held against a simple model of the store; a long one: `make test-faults`."""

from __future__ import annotations

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test
from model_store import StoreModel


def run_model(template, examples, steps, *, derandomize=True):
    """Run sequences of steps; nothing is shrunk, since each step is an acknowledged one."""
    machine = type("StoreModelOfThisRun", (StoreModel,), {"template": template.store})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples, stateful_step_count=steps, deadline=None, derandomize=derandomize,
            database=None, suppress_health_check=list(HealthCheck),
            phases=[Phase.explicit, Phase.generate], report_multiple_bugs=False,
        ),
    )  # fmt: skip


def test_the_store_is_what_the_model_says(template):
    run_model(template, 4, 14)
