"""The studies of Recasens and Hovy 2010, rerun on open corpora.

study, language.toml ...   what is set against what
paper, paper.toml          what the paper prints
systems                    what is run on every setting
folder                     steps that are done once, and what they leave behind
preparing, bench           corpora, and what steps need in memory
working, planning          what steps do, and their order
bootstrap, results         scores with intervals
claims                     which claims of the paper carry over
values, pages              results for programs and for people
running                    the whole
"""
