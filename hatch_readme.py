"""Give a package index the README with links that lead somewhere from there.

In a clone the links are relative. An index has no files beside the README: there pages
of `docs/` are those of the site, and other files those of the repository, both of the
version that is built, so that an old release keeps leading to what belongs to it.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

# A block of code, which stays as it is; or a link to a file or picture of the project.
_BLOCK_OR_LINK = re.compile(
    r"^```.*?^```|(!\[[^\]]*)?\]\((?!\w+:|#)([^)\s]+)\)", re.M | re.S
)


class ReadmeHook(MetadataHookInterface):
    """Set the description of the project from README.md."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README, once the version and the addresses of the project are set."""
        text = Path(self.root, "README.md").read_text("utf-8")
        urls, version = metadata["urls"], metadata["version"]
        text = absolute(
            text,
            site=urls["Homepage"] + ".".join(version.split(".")[:2]) + "/",
            repository=f"{urls['Repository']}/blob/v{version}/",
        )
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def absolute(text: str, *, site: str, repository: str) -> str:
    """Make the links of a text to files of the project absolute."""

    def replaced(found: re.Match[str]) -> str:
        picture, link = found.groups()
        if link is None:
            return found[0]
        if picture:
            return f"{picture}]({repository.replace('/blob/', '/raw/')}{link})"
        return f"]({_address(link, site, repository)})"

    return _BLOCK_OR_LINK.sub(replaced, text)


def _address(link: str, site: str, repository: str) -> str:
    """Say where the file of a link can be read.

    The site has a folder for each page: `docs/a/b.md#c` is at `a/b/#c` there.
    """
    page = re.fullmatch(r"docs/(.+?)\.md(#.*)?", link)
    if page is None:
        return repository + link
    parts = page[1].split("/")
    folders = parts[:-1] if parts[-1] == "index" else parts
    return site + "".join(part + "/" for part in folders) + (page[2] or "")
