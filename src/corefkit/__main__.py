"""`python -m corefkit`: the same as the command `corefkit`."""

from __future__ import annotations

from corefkit.cli import main_and_exit

if __name__ == "__main__":
    main_and_exit()
