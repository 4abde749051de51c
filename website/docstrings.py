"""Docstrings as the reference shows them: what `help` prints, with its code as code.

The reference is read from the sources, where some things differ from what users see.

- Settings are named in docstrings and signatures when the package is imported. Only
  `score` explains each of them on the site; the others refer to it.
- Defaults that are constants of a module are shown as their values.
- Examples stand where they help, without a heading, as `>>>` lines up to the next empty
  line. Markdown would take them for quotations.
"""

from __future__ import annotations

import ast
import inspect
import re
from functools import reduce
from importlib import import_module

import griffe
from pages import plain_examples

_CONSTANT = re.compile(r"_?[A-Z][A-Z_]*(\[\d\])?$")
_EXAMPLE = re.compile(r"^>>> .*(?:\n.+)*", re.MULTILINE)


def with_code(docstring: str) -> str:
    r"""Fence the examples of a docstring.

    >>> print(with_code("Add.\n\n>>> 1 + 1\n2\n\nMore."))
    Add.
    <BLANKLINE>
    ```pycon
    >>> 1 + 1
    2
    ```
    <BLANKLINE>
    More.
    """
    fenced = _EXAMPLE.sub(lambda example: f"```pycon\n{example[0]}\n```", docstring)
    return plain_examples(fenced)


def imported(found: griffe.Object) -> object:
    """Find what a class or function of the sources is once it is imported."""
    names = found.path.removeprefix(f"{found.module.path}.").split(".")
    return reduce(getattr, names, import_module(found.module.path))


def with_settings(function: griffe.Function) -> str:
    """Complete a docstring: that of `score` tells what each setting is, for all."""
    if function.path == "corefkit.scoring.score":
        return inspect.getdoc(imported(function)) or ""
    docstring = function.docstring.value if function.docstring else ""
    known = "settings: this and what follows: the settings, as for `corefkit.score`."
    return re.sub(r"keywords: .*", known, docstring)


def name_settings(function: griffe.Function) -> None:
    """Name the settings that a function takes, in place of its `keywords`."""
    del function.parameters["keywords"]
    known = {parameter.name for parameter in function.parameters}
    for parameter in inspect.signature(imported(function)).parameters.values():
        if parameter.name not in known:
            annotation = ast.parse(parameter.annotation, mode="eval").body
            function.parameters.add(
                griffe.Parameter(
                    parameter.name,
                    annotation=griffe.get_annotation(annotation, parent=function),
                    kind=griffe.ParameterKind.keyword_only,
                    default=repr(parameter.default),
                )
            )


def show_values(function: griffe.Function) -> None:
    """Show the value of a default that is a constant of a module, not its name."""
    for parameter in function.parameters:
        if _CONSTANT.match(str(parameter.default)):
            known = inspect.signature(imported(function)).parameters[parameter.name]
            parameter.default = repr(known.default)


class Docstrings(griffe.Extension):
    """Completes docstrings and signatures, and fences examples."""

    def on_object(self, *, obj: griffe.Object, **_: object) -> None:
        """Fence the examples of a docstring, before it is parsed."""
        if obj.docstring is not None:
            obj.docstring.value = with_code(obj.docstring.value)

    def on_function(self, *, func: griffe.Function, **_: object) -> None:
        """Name the settings of those that take them, and show defaults."""
        show_values(func)
        if any(str(one.value) == "expand_settings" for one in func.decorators):
            if func.docstring is not None:
                func.docstring.value = with_code(with_settings(func))
            name_settings(func)

    def on_class(self, *, cls: griffe.Class, **_: object) -> None:
        """Say in the docstring of `Settings` what each is, and its default."""
        if cls.path == "corefkit.settings.Settings" and cls.docstring is not None:
            cls.docstring.value = with_code(inspect.getdoc(imported(cls)) or "")
            for name, parameter in inspect.signature(imported(cls)).parameters.items():
                cls.parameters[name].default = repr(parameter.default)
