"""The folder for `evaluate.load`: the module, its card and its requirements."""
