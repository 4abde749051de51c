"""Annotation beside its text: brat, LitBank, WebAnno."""
