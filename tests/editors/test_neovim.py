"""The settings for Neovim that the documentation gives, in Neovim itself, which `RULESRUN_NVIM` names or which is on the path."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ..docs.markdown import fences

PAGE = Path(__file__).parents[2] / "docs" / "editors.md"
NVIM = os.environ.get("RULESRUN_NVIM") or shutil.which("nvim")
GAME = """\
game duel
    playrs 2

cards card, 1 of each
    rank: 1..3
"""
# What is seen of a file after a while: as the settings are read before it is opened, so they are in somebody's `init.lua`.
LOOK = """
{settings}
vim.cmd.edit("{file}")
local buffer = vim.api.nvim_get_current_buf()
local seen = {{ filetype = vim.bo.filetype, comment = vim.bo.commentstring, shift = vim.bo.shiftwidth }}
vim.wait(60000, function() return #vim.diagnostic.get(buffer) > 0 end, 100)
seen.findings = vim.tbl_map(function(each) return each.code .. " " .. each.message end, vim.diagnostic.get(buffer))
vim.api.nvim_buf_set_lines(buffer, 1, 2, false, {{ "    players 2" }})
vim.wait(60000, function()
    for _, each in ipairs(vim.diagnostic.get(buffer)) do if each.code == "R102" then return false end end
    return true
end, 100)
seen.mended = #vim.tbl_filter(function(each) return each.code == "R102" end, vim.diagnostic.get(buffer)) == 0
local place = {{ textDocument = vim.lsp.util.make_text_document_params(buffer), position = {{ line = 4, character = 5 }} }}
local function ask(method)
    local answers = vim.lsp.buf_request_sync(buffer, method, place, 60000) or {{}}
    for _, answer in pairs(answers) do return answer.result end
end
seen.hover = (ask("textDocument/hover") or {{ contents = {{ value = "" }} }}).contents.value
seen.colours = #((ask("textDocument/semanticTokens/full") or {{ data = {{}} }}).data)
io.stdout:write(vim.json.encode(seen))
vim.cmd("qall!")
"""


@pytest.mark.process
@pytest.mark.skipif(NVIM is None, reason="Neovim is not installed")
def test_neovim_shows_findings_and_explanations(tmp_path: Path) -> None:
    assert NVIM is not None
    version = subprocess.run([NVIM, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    if tuple(map(int, version.removeprefix("v").split("-")[0].split("."))) < (0, 11):
        pytest.skip(f"this is Neovim {version}, and the settings are for 0.11 or later")
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)  # a project
    rules, script = tmp_path / "duel.rules", tmp_path / "look.lua"
    rules.write_text(GAME, encoding="utf-8")
    (settings,) = (fence.text for fence in fences(PAGE.read_text(encoding="utf-8")) if fence.language == "lua")
    script.write_text(LOOK.format(settings=settings, file=rules), encoding="utf-8")
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        **{f"XDG_{what}_HOME": str(tmp_path / what) for what in ("CONFIG", "DATA", "STATE", "CACHE")},
    }
    run = subprocess.run(
        [NVIM, "--clean", "--headless", "-n", "-l", str(script)], capture_output=True, text=True, timeout=300, env=environment
    )
    seen = json.loads(run.stdout)
    assert (seen["filetype"], seen["comment"], seen["shift"]) == ("rulesrun", "# %s", 4), run.stderr
    assert any(each.startswith("R102") and "did you mean `players`?" in each for each in seen["findings"])
    assert seen["mended"]
    assert "**rank**" in seen["hover"]
    assert seen["colours"] > 0
