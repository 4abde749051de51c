"""Alignment of key and response: pairing, matching, and the overlap table."""
