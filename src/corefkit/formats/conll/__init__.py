"""CoNLL-2011 and CoNLL-2012."""
