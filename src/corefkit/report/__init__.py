"""The report: one page with scores, differences, errors and documents."""
