"""CoNLL-U with entities: CorefUD, GUM, and Democrat's columns."""
