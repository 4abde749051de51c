"""The report page, the reader of documents, and results in notebooks.

reader_data     documents with spans, entities and errors, and their JSON
entity_text     entities of documents as text, or as a page
assembly        `make_report`: scores, comparison, errors and documents
findings        what a report says first
report_page     the sections of the page
notebook        results in notebooks
"""
