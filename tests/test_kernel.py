"""The interface to the kernel: whether it is used, and what `--version` prints."""

from __future__ import annotations

import pytest

from corefkit import kernel
from corefkit.exceptions import SettingsError


def test_mode_off_disables_the_kernel(monkeypatch):
    monkeypatch.setenv("COREFKIT_KERNEL", "off")
    assert kernel.kernel() is None
    assert kernel.describe_kernel() == "kernel off"


def test_mode_require_without_kernel_is_an_error(monkeypatch):
    monkeypatch.setenv("COREFKIT_KERNEL", "require")
    monkeypatch.setattr(kernel, "_import_kernel", lambda: None)
    with pytest.raises(SettingsError, match="was not built"):
        kernel.kernel()
    assert kernel.describe_kernel() == "without kernel"


def test_unknown_mode_is_an_error(monkeypatch):
    monkeypatch.setenv("COREFKIT_KERNEL", "yes")
    with pytest.raises(SettingsError, match="expected one of auto, require, off"):
        kernel.kernel()


def test_kernel_is_used_by_default(monkeypatch):
    monkeypatch.delenv("COREFKIT_KERNEL", raising=False)
    found = kernel.kernel()
    if found is None:
        pytest.skip("the kernel was not built: there was no compiler")
    assert kernel.describe_kernel() == "with kernel"


def test_kernel_of_another_version_is_ignored(monkeypatch):
    monkeypatch.delenv("COREFKIT_KERNEL", raising=False)
    if kernel.kernel() is None:
        pytest.skip("the kernel was not built: there was no compiler")
    monkeypatch.setattr(kernel, "_VERSION", 0)
    assert kernel.kernel() is None
