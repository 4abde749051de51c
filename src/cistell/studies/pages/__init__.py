"""The report on a study: its parts, and how they are written."""
