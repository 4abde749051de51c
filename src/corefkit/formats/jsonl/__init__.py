"""JSON lines of the end-to-end resolvers."""
