"""The page on the linker, held against its columns."""

from __future__ import annotations

import re

from resolver.lexica import table_of
from resolver.trees import parsed
from shared_files import ROOT

from cistell.linking.candidates import RECENT, candidates_of
from cistell.linking.rows import rows_of
from cistell.linking.traits import traits_of
from cistell.linking.vocabulary import CLASSES

PAGE = (ROOT / "docs" / "cistell" / "linker.md").read_text("utf-8")
COLUMNS = PAGE.partition("## Columns of one mention")[2]


def test_page_has_every_column_and_no_other():
    traits = traits_of(table_of(parsed("[ she/0//root ]s", "[ she/0//root ]s")))
    rows = rows_of(traits, *candidates_of(traits), dict.fromkeys(CLASSES, ()))
    both = {name[:-6] for name in rows.columns if name.endswith("_first")}
    both = {name for name in both if f"{name}_second" in rows.columns}
    both = {name for name in both if not name.endswith(("_only", "_of"))}
    expected = {*rows.columns} - {
        f"{name}{side}" for name in both for side in ("_first", "_second")
    }
    named = {*re.findall(r"`(\w+)`", COLUMNS)} - {"_first", "_second"}
    assert named == expected | both
    assert f"the {len(rows.columns)} below" in PAGE
    assert f"the {RECENT} mentions before" in PAGE
