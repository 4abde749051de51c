"""Training from scratch: from an annotated corpus in a folder to a resolver of text.

    training = train_from_scratch(Path("gum"), options, show=print)
    training.resolver.save("en.model")

The modules, each importing only from those before it:

    corpus       the files of a folder, and their parts
    steps        steps with weights, and how long the rest takes
    sharing      tasks done at the same time
    learning     what is learned, step by step
    judging      what the whole scores on the test part
    running      all of it
"""

from __future__ import annotations

from cistell.scratch.learning import Options as Options
from cistell.scratch.running import Outcome as Outcome
from cistell.scratch.running import train_from_scratch as train_from_scratch
