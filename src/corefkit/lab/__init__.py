"""The metric laboratory: how metrics behave, on the papers' sets and on one's own.

labels, evaluating   corpora as arrays, and their scores
generated            corpora drawn at random
papers               what five papers print, as data
figures, drawing     curves as values, and as sheets of paper
perturb              a corpus made worse step by step
diagnose             a response changed on purpose, and what metrics make of it
reproduce            the papers' tables, figures and claims recomputed
"""
