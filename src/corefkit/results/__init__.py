"""Scores of responses as people, programs and files have them."""

from __future__ import annotations
