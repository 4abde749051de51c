"""A folder of files as one input."""
