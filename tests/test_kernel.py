"""The interface to the kernel: whether it is used, and what `--version` prints."""

from __future__ import annotations

import pytest

from corefkit.exceptions import SettingsError
from corefkit.formats import files


def test_mode_off_disables_the_kernel(monkeypatch):
    monkeypatch.setenv("COREFKIT_KERNEL", "off")
    assert files.load_kernel() is None
    assert files.describe_kernel() == "kernel off"


def test_mode_require_without_kernel_is_an_error(monkeypatch):
    monkeypatch.setenv("COREFKIT_KERNEL", "require")
    monkeypatch.setattr(files, "_import_kernel", lambda: None)
    with pytest.raises(SettingsError, match="was not built"):
        files.load_kernel()
    assert files.describe_kernel() == "without kernel"


def test_unknown_mode_is_an_error(monkeypatch):
    monkeypatch.setenv("COREFKIT_KERNEL", "yes")
    with pytest.raises(SettingsError, match="expected one of auto, require, off"):
        files.load_kernel()


def test_kernel_is_used_by_default(monkeypatch):
    monkeypatch.delenv("COREFKIT_KERNEL", raising=False)
    found = files.load_kernel()
    if found is None:
        pytest.skip("the kernel was not built: there was no compiler")
    assert files.describe_kernel() == "with kernel"


def test_kernel_of_another_version_is_ignored(monkeypatch):
    monkeypatch.delenv("COREFKIT_KERNEL", raising=False)
    if files.load_kernel() is None:
        pytest.skip("the kernel was not built: there was no compiler")
    monkeypatch.setattr(files, "_KERNEL_VERSION", 0)
    assert files.load_kernel() is None
