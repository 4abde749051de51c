"""cistell: coreference resolution.

neural      a resolver of raw text, with a small pretrained encoder
"""
