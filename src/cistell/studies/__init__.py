"""The studies of Recasens and Hovy 2010, rerun on open corpora.

study, language.toml ...   what is compared
paper, paper.toml          what the paper prints
systems                    what is run on every setting, and in which order
folder                     files of a run, and steps that are done once
preparing, setting_run     corpora, and what steps need in memory
working, steps             what steps do, and what they depend on
results                    scores with intervals
claims                     which claims of the paper carry over
pages                      results for people and for programs
running                    the whole
"""
