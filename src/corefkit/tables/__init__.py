"""Tables and plain pages, and one writer for each output format.

Nothing here knows of coreference: other packages make pages of the elements, and the
writers escape text for their kind of output.
"""

from __future__ import annotations
