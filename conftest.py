"""Leave out of the ordinary run what needs libraries that have their own environment.

`tests/integrations/test_pages.py` runs the examples of these files.
"""

collect_ignore = [
    "src/corefkit/integrations/coreference",
    "src/corefkit/integrations/torch.py",
    "docs/integrations/huggingface.md",
    "docs/integrations/stanza.md",
    "docs/integrations/torch.md",
]
