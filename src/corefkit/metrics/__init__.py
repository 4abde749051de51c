"""Metrics: counts per document, and scores of counts."""
