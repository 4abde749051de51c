"""Scripts by which shells complete commands: bash, zsh and fish.

They are made of what the parsers say, and need no Python when somebody presses Tab.
"""
