"""scikit-learn, which is needed for fitting only."""

from __future__ import annotations

from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING

from corefkit.exceptions import CorefkitError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def scikit_learn() -> Iterator[None]:
    """Fit on one core, so that the same pairs and seed make the same bits."""
    try:
        # It comes with scikit-learn, and controls all libraries with threads.
        threads = import_module("threadpoolctl")
        import_module("sklearn")
    except ImportError as error:
        message = "this learner needs scikit-learn to learn, which is not installed"
        raise CorefkitError(message, hint="pip install 'corefkit[cistell]'") from error
    with threads.threadpool_limits(limits=1):
        yield
