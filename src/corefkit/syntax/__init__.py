"""Syntax: dependency trees, heads and types of mentions."""
