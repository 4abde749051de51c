"""The folder that `evaluate.load` takes: the module, its card, what it requires."""
