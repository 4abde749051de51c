"""Corpora made ready for experiments: parts of equal length, and annotation schemes."""
