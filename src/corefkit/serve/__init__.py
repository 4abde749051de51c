"""A local web application: upload a key and responses, get the report, rank systems."""
