"""Pages of the laboratory: the same parts, plain, as Markdown and as HTML."""
