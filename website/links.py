"""Every link of the built site: does it lead to a page, an anchor, a file of ours?

    python website/links.py site        list the links of a built site that lead nowhere

Links inside the site are followed, their anchors included, and so are links to files of
the repository. Of other addresses only the form is checked, as a build has no network.
Nothing may be loaded from elsewhere: no script, style, font or picture.
"""

from __future__ import annotations

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from pages import REPOSITORY

ROOT = Path(__file__).resolve().parents[1]
SITE = "https://corefkit.github.io/corefkit/"
# The parts of an address of the repository that name a file on the main branch.
FILES = ("blob/main/", "tree/main/", "edit/main/", "raw/main/")
# Pages that commands made: their scripts read what stands behind the #.
MADE = "gallery/"
LOADING = {"script", "img", "iframe", "source", "video", "audio", "embed"}


class Link(NamedTuple):
    """An address, where it stands, and whether the browser loads it by itself."""

    line: int
    address: str
    loads: bool


class Page(HTMLParser):
    """The links and the anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[Link] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Write down what a tag has of links and anchors."""
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        styles = values.get("rel") in ("stylesheet", "icon", "preload", "preconnect")
        for name in ("href", "src"):
            if name in values:
                loads = tag in LOADING or (tag == "link" and styles)
                self.links.append(Link(self.getpos()[0], values[name], loads))


def parsed(path: Path) -> Page:
    """Read the links and anchors of a page."""
    page = Page()
    page.feed(path.read_text("utf-8"))
    page.close()
    return page


def dead_links(site: Path, own: tuple[str, ...] = (SITE,)) -> list[str]:
    """List what leads nowhere in a built site, whose own addresses start with `own`."""
    pages = {path: parsed(path) for path in sorted(site.rglob("*.html"))}
    anchors = {path: page.anchors for path, page in pages.items()}
    return [
        f"{path.relative_to(site)}:{link.line}: {link.address}: {reason}"
        for path, page in pages.items()
        for link in page.links
        if (reason := fault(link, path, site, anchors, own))
    ]


def fault(
    link: Link,
    path: Path,
    site: Path,
    anchors: dict[Path, set[str]],
    own: tuple[str, ...],
) -> str | None:
    """Say what is wrong with a link of a page, or None."""
    address = link.address
    if address.startswith(("data:", "javascript:void(0)")):
        return None
    for start in own:
        # A page that stands nowhere, as 404.html, has paths from the root of the host.
        for prefix in (start, urlsplit(start).path):
            if address.startswith(prefix):
                return target_fault(site, address.removeprefix(prefix), site, anchors)
    if link.loads and urlsplit(address).netloc:
        return "loaded from another place"
    if address.startswith(REPOSITORY):
        return repository_fault(address.removeprefix(REPOSITORY).lstrip("/"))
    if urlsplit(address).scheme:
        return form_fault(address)
    return target_fault(path.parent, address, site, anchors, page=path)


def form_fault(address: str) -> str | None:
    """Say what is wrong with the form of an address of others.

    >>> form_fault("https://aclanthology.org/P14-2006/"), form_fault("https://x y")
    (None, 'no address')
    """
    parts = urlsplit(address)
    if parts.scheme == "mailto":
        return None if "@" in parts.path else "no address"
    sound = "." in parts.netloc and not any(
        character in address for character in " \t<>"
    )
    return None if parts.scheme in ("http", "https") and sound else "no address"


def repository_fault(rest: str) -> str | None:
    """Say whether a link to a file of the repository names one that is not there.

    >>> repository_fault("blob/main/README.md"), repository_fault("blob/main/nothing")
    (None, 'no such file in the repository')
    """
    for start in FILES:
        if rest.startswith(start):
            parts = urlsplit(rest.removeprefix(start))
            path, heading = ROOT / unquote(parts.path), unquote(parts.fragment)
            if not path.exists():
                return "no such file in the repository"
            if heading and path.suffix == ".md" and heading not in headings(path):
                return "no such heading there"
    return None


def headings(path: Path) -> set[str]:
    """List the anchors of the headings of a Markdown file, as GitHub builds them."""
    titles = re.findall(r"^#+ (.*)$", path.read_text("utf-8"), re.MULTILINE)
    words = (re.sub(r"[^\w\s-]", "", title.lower()).strip() for title in titles)
    return {word.replace(" ", "-") for word in words}


def in_repository(markdown: str) -> list[str]:
    """List what Markdown links to in the repository, without its address.

    >>> in_repository(f"[why]({REPOSITORY}/blob/main/CONTRIBUTING.md#how-we-write).")
    ['blob/main/CONTRIBUTING.md#how-we-write']
    """
    return re.findall(rf"{re.escape(REPOSITORY)}/([^\s)>\"']+)", markdown)


def target_fault(
    folder: Path,
    address: str,
    site: Path,
    anchors: dict[Path, set[str]],
    page: Path | None = None,
) -> str | None:
    """Say whether a path from a folder of the site leads to a page and an anchor."""
    parts = urlsplit(address)
    target = (folder / unquote(parts.path)).resolve() if parts.path else page or folder
    if target.is_dir():
        target /= "index.html"
    if not target.is_file() or site.resolve() not in target.resolve().parents:
        return "no such page"
    path = target.resolve().relative_to(site.resolve()).as_posix()
    made = path.startswith(MADE)
    anchor = unquote(parts.fragment)
    if not anchor or made or target not in anchors or anchor in anchors[target]:
        return None
    return "no such anchor"


if __name__ == "__main__":
    dead = dead_links(Path(sys.argv[1]).resolve())
    sys.exit("\n".join(dead))
