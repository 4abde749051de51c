"""The metric laboratory: how metrics behave, on the papers' sets and on one's own.

`labels` has the corpora that the laboratory works on: mentions as numbers, entities as
labels.
"""
