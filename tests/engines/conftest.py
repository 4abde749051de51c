"""Engines need libraries that the scorer does not."""

from __future__ import annotations

import pytest

pytest.importorskip("pyarrow", reason="tables need pyarrow")
pytest.importorskip("duckdb", reason="DuckDB is not installed")
