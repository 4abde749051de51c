"""Formats written in XML: ACE APF, ECB+, AnCora-CO."""
