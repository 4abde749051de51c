"""Which corpus a score is of: what its files declare, and fingerprints of its text."""
