"""Results as data frames of pandas or Polars, where one of them is installed.

libraries    the two libraries: which one, and its types
evaluations  scores, of the whole or of every document
comparisons  systems, or pairs of them
errors       errors, links, or counts of kinds
statistics   what a corpus holds

A frame has the same columns, of the same types, whatever was found: numbers are
numbers, and what is not known is missing. Every frame ends with the signature, where
there is one.
"""
