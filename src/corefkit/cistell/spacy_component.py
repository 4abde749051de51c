"""The spaCy component under its former name, until environments are reinstalled."""

from cistell.spacy_component import make_resolver

__all__ = ["make_resolver"]
