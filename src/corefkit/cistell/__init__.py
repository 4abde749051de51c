"""CISTELL: the resolver of Recasens and Hovy (2010), from text to scored entities.

Mentions are taken in the order of the text. Each is compared, pair by pair, with those
before it, and put into a basket of mentions that speak of the same entity, or into a
new one. The modules, each importing only from those before it:

    lexicon, languages     what is known of words, and of languages
    table                  what is known of the mentions of a document
    features               what is known of a pair of mentions
    learners, modelfile    classifiers of pairs, and how they are kept
    taggers, parsing       mentions and trees, where a text comes without
    sampling, pairs        pairs for training, and for deciding
    baskets, models        from decisions to entities
    corpora                schemes of annotation, parts of documents
    training, resolving    the whole
    experiment             the studies of the paper
"""
