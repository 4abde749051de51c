"""LaTeX output of commands compiles and fits the page."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from corefkit.cli import main

PDFLATEX = shutil.which("pdflatex")
DOCUMENT = r"""\documentclass{article}
\usepackage[T1]{fontenc}
%s
\begin{document}
%s
\end{document}
"""

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PDFLATEX is None, reason="needs pdflatex (texlive)"),
]


@pytest.mark.parametrize(
    "words",
    [
        ["score", "--example"],
        ["score", "--example", "--layout", "paper"],
        ["score", "--example", "--metric", "all"],
        ["score", "--example", "--per-document", "--metric", "muc,b_cubed"],
        ["compare", "--example"],
        ["errors", "--example"],
        ["errors", "--example", "--links"],
        ["stats", "--example"],
    ],
    ids=" ".join,
)
def test_latex_compiles_and_fits_the_page(words, capsys, tmp_path):
    main([*words, "--format", "latex"])
    text = capsys.readouterr().out
    packages = dict.fromkeys(re.findall(r"(?m)^% (\\usepackage\{.*\})$", text))
    (tmp_path / "page.tex").write_text(DOCUMENT % ("\n".join(packages), text), "utf-8")
    done = subprocess.run(
        [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=120,
    )
    assert done.returncode == 0, done.stdout[-2000:]
    assert "invalid in math mode" not in done.stdout
    wide = re.findall(r"Overfull \\hbox \((\d+)", done.stdout)
    assert all(int(points) < 40 for points in wide), done.stdout[-2000:]
