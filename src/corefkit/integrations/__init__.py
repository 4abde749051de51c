"""The scorer inside other libraries: one module each, imported when used."""
