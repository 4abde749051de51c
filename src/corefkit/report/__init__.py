"""The report page, the reader of documents, and results in notebooks."""
