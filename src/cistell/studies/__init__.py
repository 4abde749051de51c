"""The studies of the papers, rerun on open corpora."""
