"""A neural resolver of raw text: a small BERT encoder that scores spans and links.

tokenization    words and subwords of a text, and windows of them
agreement       gender, number and names of mentions, and features of pairs
network         the network in NumPy
modelfile       model files
inference       texts and documents to entities
training        training with PyTorch, which the others do not need

>>> from cistell.neural import NeuralResolver
"""

from cistell.neural.inference import NeuralResolver, Thresholds

__all__ = ["NeuralResolver", "Thresholds"]
