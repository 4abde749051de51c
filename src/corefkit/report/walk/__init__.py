"""Walk-throughs as values, and how a terminal writes them.

values      sentences, rows and equations, whose text can point at entities and mentions
lines       the same as lines for a terminal

`report/html/walks.py` writes them as HTML, with links into the reader.
"""
