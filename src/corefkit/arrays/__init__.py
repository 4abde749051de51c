"""Mentions of documents as arrays."""
