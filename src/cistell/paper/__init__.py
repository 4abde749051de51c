"""The system of Recasens and Hovy (2010), "Coreference Resolution across Corpora".

    section 3.1   the system: training, and resolution          system
    section 3.1   baskets                                       models (Basket, Linker)
    section 3.2   three baselines, four models                  models
    section 3.2   training instances (not stated)               pairs
    section 3.2   TiMBL, its distance and its votes             memory
    section 3.3   29 features of English, 34 of Spanish         features

Their experiments (sections 4 to 6) are in `cistell.studies`.

Deviations from the paper, and decisions that it leaves open:

1.  Baskets. Decisions are on pairs of mentions, as in the paper's models; a basket is
    consulted for whether all its mentions agree. The paper says that the contents of
    baskets allow richer comparisons: the linkings of `models.CONSULTING` count a
    decision only if gender, number and entity type of the basket agree with the
    mention.
2.  Search direction. Mentions are compared from the beginning of the document; the
    other direction (footnote 7) is `Linking("closest")`.
3.  BEST takes the decision at the smallest distance, not TiMBL's confidence, and starts
    a new basket if the basket of that mention does not agree entirely.
4.  HEAD MATCH + PRON also links reflexive pronouns and Spanish zero subjects. Mentions
    with an unknown gender or number agree with all.
5.  `person_match` and `string_match` are features that the paper does not name.
6.  Training pairs are drawn for every mention: at most 3 antecedents and 5 other
    earlier mentions at random. Soon's and Ng and Cardie's pairs are options.
7.  Without WordNet there are 27 features of English: `is_a_match` and `supertype_match`
    are constant.
8.  The threshold 0.09 of SUPER STRONG rejects almost no decision here: distances depend
    on the gain ratios. The studies pick one on held-out documents.
9.  Democrat (French) is used in place of AnCora (Spanish), trained on its development
    part; AnCora is supported for those who have it.
"""
