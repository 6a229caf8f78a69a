"""Settings merged line by line say what the two sides said, or are no merge."""

from __future__ import annotations

import pytest

from aikb.formats.toml_merge import keeps_meaning

INDEX = "[index]\nbudget = 30000\n"
TYPES = 'types = ["recipe"]\n'


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "merged", "good"),
    [
        ("", INDEX, TYPES, TYPES + INDEX, True),
        ("", INDEX, TYPES, INDEX + TYPES, False),  # the types would be the index's
        (TYPES, TYPES + INDEX, TYPES, TYPES + INDEX, True),
        (TYPES, TYPES + INDEX, "# gone\n", "# gone\n" + INDEX, True),
        ("", TYPES, TYPES, TYPES + TYPES, False),  # the line stands twice
        ("", TYPES, 'types = ["other"]\n', TYPES, False),  # both changed it
        ("", "types = [", TYPES, "types = [\n", True),  # wrong before: the rules say so
    ],
)
def test_each_setting_is_as_who_changed_it_has_it(base, ours, theirs, merged, good):
    assert keeps_meaning(base, ours, theirs, merged) is good
