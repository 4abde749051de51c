"""Annotation next to its text: brat, LitBank, WebAnno."""
