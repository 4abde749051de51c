"""Walk-throughs as values, and how a terminal and a page write them.

values      sentences, rows and equations, whose text can point at entities and mentions
lines       the same as lines for a terminal
markup      the same as HTML, where what they point at is a link into the reader
"""
