"""Properties of mentions in documents with trees, for the sieve and the features.

lexicon    languages and word lists
wordnet    senses of nouns
words      trees, speakers and quotations of a document
profiles   one record per mention, and arrays of them
"""
