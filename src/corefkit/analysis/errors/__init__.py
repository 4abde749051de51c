"""What went wrong, and what it costs: kinds of errors, links, and repairs.

joined         mentions of both sides as one table: (mention, key, response entity)
key_tokens     mentions of both sides in the tokens of the key's text
describing     pronouns, types, heads and sentences of mentions
spans          span errors: mentions that differ at their borders
kinds          the other six kinds, in closed form
listing        errors as values
repairs        the edit script: responses with some kinds repaired
repair_tables  overlap tables of repaired documents
costs          scores of repaired responses
links          spanning trees: links that are missing or wrong
across         errors of several systems
analysing      from inputs to results
analysis       what comes out
"""
