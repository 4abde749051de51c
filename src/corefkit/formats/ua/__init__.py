"""Universal Anaphora columns."""
