"""What the build of the site does beside MkDocs and its plugins: see website/README.md.

Warnings of a hook are warnings of the build, which is strict: they fail it.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

import gallery
from links import SITE, dead_links
from mkdocs.structure.files import File
from pages import for_the_site, with_breaks, with_commands

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

# What counts more, and what less, when pages are searched. A reader who types a word
# wants to know what it means before how a function spells it.
BOOSTS = {
    "metrics.md": 4,
    "compare.md": 2,
    "conventions.md": 2,
    "doctor.md": 2,
    "moving.md": 2,
    "integrations": 3,
    "faq.md": 0.5,
    "lab.md": 0.5,
    "cistell.md": 2,
    "cistell/": 0.5,
    "performance.md": 0.5,
    "reference/": 0.25,
}

log = logging.getLogger("mkdocs.hooks.corefkit")


def on_config(config: MkDocsConfig) -> None:
    """Show the choice of versions where mike builds one of several."""
    if "MIKE_DOCS_VERSION" in os.environ:
        config.extra["version"] = {"provider": "mike", "default": "latest"}


def on_files(files: Files, config: MkDocsConfig) -> None:
    """Add the files that commands of the pages write."""
    for page in list(files.documentation_pages()):
        for uri, path in gallery.list_files(page.content_string):
            if uri not in files.src_uris:
                files.append(File.generated(config, uri, abs_src_path=str(path)))


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Change what GitHub needs and MkDocs does not; say what the search prefers."""
    for start, boost in BOOSTS.items():
        if page.file.src_uri.startswith(start):
            page.meta["search"] = {"boost": boost}
    return for_the_site(markdown, page.file.src_uri)


def on_page_content(html: str, **_: object) -> str:
    """Let buttons copy what was typed in a session, and long names break well."""
    return with_breaks(with_commands(html))


def on_post_build(config: MkDocsConfig) -> None:
    """Check every link of what was built."""
    own = tuple(
        f"{address.rstrip('/')}/" for address in (config.site_url, SITE) if address
    )
    for dead in dead_links(Path(config.site_dir), own):
        log.warning(dead)
