"""Documents as pages show them: text with mentions, entities and errors as layers.

values      what is shown, as plain values; `Reader` is a part of a page
encoding    the same as compact JSON, which the part of the page in a browser decodes
fragments   links that open a document, an error, an entity or a mention
documents   documents without a key, such as what a resolver found
"""
