"""Writing into the editor of the playground."""

from __future__ import annotations

from .visitors import Visitor


def write(somebody: Visitor, text: str) -> None:
    """Put a whole text into the editor, as if it was pasted. The visitor needs the permissions of the clipboard."""
    somebody.page.locator(".cm-content").click()
    somebody.page.keyboard.press("Control+a")
    somebody.page.evaluate("text => navigator.clipboard.writeText(text)", text)
    somebody.page.keyboard.press("Control+v")
