"""What builds the site stands beside the package, and is imported from there."""

import sys

from shared_files import ROOT

sys.path.append(str(ROOT / "website"))
