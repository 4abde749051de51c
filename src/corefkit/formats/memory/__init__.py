"""Python objects as input: partitions, documents, objects of other libraries."""
