"""Strings: safe to show, and ids and names to compare."""
