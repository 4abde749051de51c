"""Documents of a topic, or of the whole corpus, set one behind the other."""
