"""What trees tell of mentions: heads, kinds of mentions, sentences."""
