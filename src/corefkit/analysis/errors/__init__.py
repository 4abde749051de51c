"""What went wrong, and what it costs: kinds of errors, links, and repairs.

responses      one response, or several by name
partitions     what settings mean where a mention stands in one entity
joined         mentions of both sides as one table: (mention, key, response entity)
key_tokens     mentions of both sides in the tokens of the key's text
describing     pronouns, types, heads and sentences of mentions
known          what is known of one mention
texts          the texts of a block, and what files say of mentions
wording        what words and their annotation tell of mentions
languages      the language of a text, for its articles and pronouns
said           where pronouns, types and heads come from, in words
spans          span errors: mentions that differ at their borders
kinds          the other six kinds, in closed form
listing        errors as values
repairs        the edit script: responses with some kinds repaired
repair_tables  overlap tables of repaired documents
costs          scores of repaired responses
corrected      documents with errors repaired
links          spanning trees: links that are missing or wrong
link_classes   links by types, distance, size and more
across         errors of several systems
counting       numbers of errors, to compare systems by
tallies        the errors of one response, block by block
analysing      from inputs to results
analysis       what comes out
sorting        what its tables are sorted by
"""
