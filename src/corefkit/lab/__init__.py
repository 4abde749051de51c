"""The metric laboratory: how metrics behave, on the papers' sets and on your own data.

labels      corpora as arrays, and their scores
generated   random corpora
figures     curves as values, and drawn
perturb     a corpus changed step by step
diagnose    a response changed on purpose
reproduce   the papers' tables, figures and claims recomputed
"""
