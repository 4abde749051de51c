"""The notebook of the documentation: it runs, and each cell shows what it says."""

from __future__ import annotations

import json
import shutil

import pytest
from shared_files import ROOT

NOTEBOOK = ROOT / "docs" / "notebook.ipynb"


def cells(notebook):
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def test_outputs_are_not_kept():
    notebook = json.loads(NOTEBOOK.read_text("utf-8"))
    assert len(cells(notebook)) >= 10
    for cell in cells(notebook):
        assert cell["outputs"] == []
        assert cell["execution_count"] is None
        assert cell["metadata"] == {}


@pytest.fixture(scope="module")
def ran(tmp_path_factory):
    """Run the notebook in a folder of its own; gives what each cell shows."""
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    pytest.importorskip("pandas", reason="pandas is not installed")
    folder = tmp_path_factory.mktemp("notebook")
    copy = shutil.copy(NOTEBOOK, folder)
    notebook = nbformat.read(copy, as_version=4)
    client = nbclient.NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    return folder, {cell["source"]: cell["outputs"] for cell in cells(notebook)}


def shown(ran, ending):
    """Look up what the cell shows whose code ends with some words."""
    _, outputs = ran
    (found,) = [out for code, out in outputs.items() if code.endswith(ending)]
    (output,) = found
    return output["data"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ending", "expected"),
    [
        ("corefkit.score(key, careful)", "CEAFe (φ4)"),
        ("\ncomparison", "randomization test"),
        ("\nanalysis", "Missing mention"),
        (".head()", "Ingrid Dahl"),
        ("\ndocuments[0]", "srcdoc="),
        ("\nreport", "srcdoc="),
    ],
)
def test_cells_show_html(ran, ending, expected):
    data = shown(ran, ending)
    assert expected in data["text/html"]


@pytest.mark.slow
def test_no_cell_fails_or_warns(ran):
    _, outputs = ran
    for code, found in outputs.items():
        kinds = {(one["output_type"], one.get("name")) for one in found}
        assert not {kind for kind, _ in kinds} & {"error"}, code
        assert ("stream", "stderr") not in kinds, code


@pytest.mark.slow
def test_text_is_printed_and_the_report_is_saved(ran):
    folder, outputs = ran
    (text,) = [
        one["text"]
        for found in outputs.values()
        for one in found
        if one["output_type"] == "stream"
    ]
    assert "[1 The mayor of [2 Halden]] reopened" in text
    page = (folder / "report.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
