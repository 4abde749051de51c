"""From two inputs that were read to one overlap table: pairing, settling, matching."""
