"""Plugins, files left out of the ordinary run, and the distribution of tests.

`tests/integrations/test_pages.py` runs the examples of the files that are left out:
they need libraries that have their own environment.
"""

import pytest

pytest_plugins = ["kept"]

collect_ignore = [
    "src/cistell/neural/training.py",
    "src/corefkit/integrations/coreference",
    "src/corefkit/integrations/torch.py",
    "docs/integrations/huggingface.md",
]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Send the tests of a file, or of an explicit group, to the same process.

    Fixtures and cached models are then made once. Besides, the time of scheduling grows
    with the square of the number of groups, and a test without a group is a group.
    """
    if config.getvalue("dist") != "loadgroup":
        return None
    from xdist.scheduler.loadgroup import LoadGroupScheduling

    class FileScheduling(LoadGroupScheduling):
        def _split_scope(self, nodeid):
            group = super()._split_scope(nodeid)
            return nodeid.partition("::")[0] if group == nodeid else group

    return FileScheduling(config, log)
