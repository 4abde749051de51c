"""Mentions of documents with trees: what the sieve and the paper's features look at.

lexicon    languages and word lists
wordnet    senses of nouns
words      trees, speakers and quotations of a document
profiles   one record per mention, and arrays of them
"""
