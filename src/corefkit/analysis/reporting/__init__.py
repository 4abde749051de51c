"""Everything about some responses at once: scores, comparison, errors, documents.

values      what a report holds
making      from inputs to a report
reading     the documents of a report, as pages show them
naming      what responses are called
spelling    what stands for tokens: words, numbers, names
spans       one list of spans for all sides of a document
"""
