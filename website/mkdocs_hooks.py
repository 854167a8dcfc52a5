"""Hands the prepared pages to MkDocs, in place of the files that it finds by itself, and puts the playground beside them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from rulesrun.browser.bundle import playground
from rulesrun.browser.pyodide import pyodide
from rulesrun.interpreter.common.diagnostics import RulesError, render
from rulesrun.website.fences import ROOT
from rulesrun.website.highlighting import register
from rulesrun.website.links import LostLinkError
from rulesrun.website.navigation import PLAYGROUND
from rulesrun.website.pages import Site, prepared

# Files of the theme that need to know the address of the site, which may lie anywhere.
_ABSOLUTE: Final = frozenset({"404.html", "sitemap.xml"})


_sites: dict[str, Site] = {}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Prepare the pages, and set the navigation."""
    register()
    try:
        site = _sites[config.site_dir] = prepared()
    except LostLinkError as error:
        raise PluginError(str(error)) from error
    config.nav = site.navigation
    config.theme.static_templates -= _ABSOLUTE
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """The files of the site instead of those in `docs`; those of the theme stay."""
    site = _sites[config.site_dir]
    for file in list(files):
        if file.src_dir == config.docs_dir or file.src_uri in _ABSOLUTE:
            files.remove(file)
    for path, text in site.pages.items():
        files.append(File.generated(config, path, content=text))
    for path, source in site.files.items():
        files.append(File.generated(config, path, abs_src_path=str(source)))
    return files


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Name the lines of a game's rules as code hosts do, `L71`, since rulebooks link to them."""
    if not page.file.src_uri.startswith("games/") or page.file.src_uri == "games/index.md":
        return html
    before, heading, rules = html.partition('<h2 id="rules"')
    block = re.search(r'id="line-(\d+)-', rules)
    assert block is not None, page.file.src_uri
    return before + heading + re.sub(rf'id="line-{block[1]}-(\d+)"', r'id="L\1"', rules)


def on_post_build(config: MkDocsConfig) -> None:
    """Write the playground."""
    try:
        files = playground(pyodide(), ROOT / "games")
    except RulesError as error:
        raise PluginError(render(error.diagnostics[0])) from None
    for name, content in files.items():
        file = Path(config.site_dir, PLAYGROUND, name)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
