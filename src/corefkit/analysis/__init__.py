"""Analyses after a score: one package or module for each."""
