"""Everything about some responses at once: scores, comparison, errors, documents.

values      what a report holds
"""
