"""The registry of codes: each code of a finding is declared here, once, with everything that depends on the code alone.

The first digit says what a finding is about: 0 files and comments that allow findings, 1 sentences, 2 names, types and
declarations, 3 rules, 4 tables that are chosen, 5 tests, 6 faults in play, 7 transcripts, baselines and translations, 8 runs.
Each code has a page in ``docs/codes``, which `rulesrun explain CODE` shows.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import partial
from importlib.resources import files
from typing import Literal

from attrs import frozen

from .nouns import listed

Severity = Literal["error", "warning"]
# What two findings of a code have in common if they are one mistake: the place and the names in the message; the words of the
# message; the table; the line that declares something; the kind of component; the line of players, where both show it; the names.
Joined = Literal["place", "words", "table", "declaration", "kind", "players", "names"]


@frozen
class Code:
    """What is so for all findings of one code.

    ``title``: a few words, also the headline of its page. ``severity``: "either" where some are errors and some are warnings.
    ``strength``: whether they are proved without play, come from play, or either; play may find more of them another time.
    ``prevents_play``: no machine can be built as long as there is such an error, so it cannot be suppressed, is always shown and
    goes into no baseline. ``usage``: whether a command that meets one ends with exit code 2, as with wrong arguments; those
    "without a place" are about a table that the command line asks for. ``joined``: which of them are one mistake.

    ``hides``: the codes, by their beginnings, of which some findings are left out since they may follow from one of this code, or
    lie behind it (`findings/consequences.py` says which). A comment that allows such a code is not called needless.
    ``reaches_ends``: an error with which games come to the same ends, so what makes no difference at the end is still reported.
    ``explains_idleness``: a choice that changes nothing may follow from it.
    """

    name: str
    title: str
    severity: Severity | Literal["either"] = "error"
    strength: Literal["proved", "played", "either"] = "proved"
    prevents_play: bool = False
    usage: Literal["always", "without a place", "never"] = "never"
    joined: Joined = "place"
    hides: tuple[str, ...] = ()
    reaches_ends: bool = False
    explains_idleness: bool = False

    @property
    def is_warning(self) -> bool:
        """Whether all findings of it are warnings."""
        return self.severity == "warning"

    @property
    def comes_from_play(self) -> bool:
        """Whether findings of it can come from play, so that there may be more of them than were found."""
        return self.strength != "proved"

    def may_hide(self, code: str) -> bool:
        """Whether a finding of another code may be left out because of one of this code."""
        return code.startswith(self.hides)


_file = partial(Code, prevents_play=True, usage="always")
_text = partial(Code, prevents_play=True)
_table = partial(Code, prevents_play=True, usage="without a place")
_fault = partial(Code, strength="played")
_run = partial(Code, prevents_play=True)

_DECLARED = (
    # ---- Files
    _file("R001", "a file cannot be read"),
    _file("R002", "a file is not text in UTF-8"),
    _file("R003", "a file is too large"),
    _file("R004", "the file is empty"),
    _file("R005", "nested too deeply, or a line too long"),
    _file("R006", "a control character"),
    _file("R007", "a file outside the folder of the rules"),
    _file("R008", "files that extend one another in a circle"),
    _file("R009", "a chain of files that is too long"),
    # ---- Comments that allow findings
    Code("R010", "a finding is allowed without a reason"),
    Code("R011", "a comment allows an unknown code"),
    Code("R012", "a comment allows a finding that is not there", severity="warning"),
    Code("R013", "a comment allows a finding that prevents play"),
    # ---- Sentences
    _text("R101", "a sentence that is not understood", hides=("R219",)),
    _text("R102", "a misspelt word of the language", hides=("R219",)),
    _text("R103", "indentation that fits no block", hides=("R219",)),
    _text("R104", "indentation with tabs", hides=("R219",)),
    _text("R105", "a text without its closing quote", hides=("R219",)),
    _text("R106", "an empty block", hides=("R219",)),
    _text("R107", "a line in the wrong place", hides=("R219",)),
    _text("R108", "a reserved word used as a name", hides=("R219",)),
    _text("R109", "a block under a line that takes none", hides=("R219",)),
    _text("R110", "a line that is missing or repeated", hides=("R219",)),
    _text("R111", "a number with too many digits", hides=("R219",)),
    _text("R112", "a line whose parts do not fit together", hides=("R219",)),
    _text("R113", "more faults than are shown", hides=("R219",)),
    _text("R114", "a bracket that is never closed", hides=("R219",)),
    _text("R115", "a sign without a meaning", hides=("R219",)),
    _text("R120", "`extends` is not the first line", hides=("R219",)),
    _text("R121", "a game that also extends another", hides=("R219",)),
    _text("R122", "something other than a variant or test in an extending file", hides=("R219",)),
    # ---- Names, types, and declarations
    _text("R201", "an unknown name", joined="words", hides=("R215",)),
    _text("R202", "two things with the same name"),
    _text("R203", "the name of something built in"),
    _text("R204", "a value of the wrong kind", joined="declaration"),
    _text("R205", "a name that would hide another"),
    _text("R206", "`of` or `for` is missing or not allowed", joined="declaration", hides=("R230",)),
    _text("R207", "a table has no row for a number of players", hides=("R328",)),
    _text("R208", "an invalid value in a list of components", joined="declaration"),
    _text("R209", "a list of components lacks a column"),
    _text("R210", "a row that is too long or too short"),
    _text("R211", "a word of two lists"),
    _text("R212", "there is no such component", joined="kind"),
    _text("R213", "several components fit", joined="words"),
    _text("R214", "something that cannot be set"),
    _text("R215", "a size or value that is not known before the game"),
    _text("R216", "a limit of the language is exceeded"),
    _text("R219", "the game is not complete"),
    _text("R221", "a circular definition"),
    _text("R222", "chance in the middle of an expression"),
    _text("R223", "`end` outside of what it ends"),
    _text("R225", "a replacement that does not fit"),
    _text("R226", "a variant changes something that does not exist"),
    _text("R227", "a marker on one of several identical components"),
    _text("R228", "a step that does itself"),
    _text("R229", "none and a negative number could be confused"),
    _text("R230", "a ranking key that is the same for all"),
    _text("R240", "a trigger that sets itself off"),
    _text("R241", "a limit per a step that is not around the choice"),
    _text("R242", "a selection of more than there is"),
    _text("R243", "an auction that may never end", reaches_ends=True),
    _text("R244", "`payment` and `cannot pay` do not fit together"),
    _text("R246", "a drawing that cannot be read"),
    _text("R247", "a position that cannot be asked about"),
    _text("R248", "something that cannot lie there", joined="declaration"),
    _text("R249", "it is unclear to which grid a cell belongs"),
    _text("R250", "an unknown direction"),
    _text("R251", "a majority without a rule for ties"),
    _text("R253", "nobody knows what is left in this pile"),
    _text("R254", "players who do not sit evenly around a grid"),
    _text("R255", "both `P wins` and a score"),
    # ---- Rules
    Code("R301", "a value that cannot fit", prevents_play=True, joined="declaration", hides=("R340",)),
    Code("R302", "a table has no row for a known value", prevents_play=True, joined="table"),
    Code("R303", "a table may have no row for a value", severity="warning", joined="table"),
    Code("R304", "a division by 0", prevents_play=True),
    Code("R305", "a loop that nothing can end", hides=("R324", "R327", "R34", "R36")),
    Code("R306", "a number that could become too large", prevents_play=True),
    Code("R310", "limits that allow less than is chosen", hides=("R31", "R34", "R36")),
    Code("R311", "a limit that leaves nothing to choose", hides=("R31", "R34", "R36")),
    Code("R320", "something unused", severity="warning", explains_idleness=True),
    Code("R321", "an option that nothing reads", severity="warning", strength="either"),
    Code("R322", "something that is kept but never read", severity="warning", explains_idleness=True),
    Code(
        "R323",
        "a zone that is always empty",
        explains_idleness=True,
        hides=("R301", "R311", "R327", "R333", "R34", "R35", "R36", "R39"),
    ),
    Code("R324", "a counter or marker that nothing sets", severity="either", explains_idleness=True, hides=("R393",)),
    Code("R325", "a word that never occurs", severity="warning"),
    Code("R326", "a line that is never reached", severity="either", strength="either", hides=("R",)),
    Code(
        "R327",
        "a condition that is the same at every table",
        severity="warning",
        strength="either",
        explains_idleness=True,
        joined="players",
        hides=("R301", "R311", "R326", "R327", "R34", "R35", "R36", "R39"),
    ),
    Code("R328", "a row that is never used", severity="warning", joined="players"),
    Code("R329", "a repeated key or condition", severity="warning", hides=("R361",)),
    Code("R330", "a line that changes nothing", severity="warning", strength="either"),
    Code("R331", "two rows that seem to be exchanged", severity="warning"),
    Code("R332", "a number that two components have", severity="warning"),
    Code(
        "R333",
        "a component that never enters the game",
        severity="warning",
        hides=("R301", "R311", "R327", "R34", "R35", "R36", "R39"),
    ),
    Code("R340", "more is drawn than there is", hides=("R324", "R333", "R34", "R36")),
    Code("R341", "a second component for a slot", hides=("R324", "R34", "R36")),
    Code("R342", "more is removed than there is", hides=("R324", "R34", "R36")),
    Code("R343", "a grid that is full", hides=("R324", "R34", "R36")),
    Code("R344", "a marker that is used before it is set", severity="either", joined="names", hides=("R324", "R34", "R36")),
    Code("R350", "a choice with nothing to choose", strength="either", hides=("R34", "R351", "R36")),
    Code("R351", "a loop that never begins", severity="either", strength="either", hides=("R305", "R34", "R351", "R36")),
    Code("R352", "a slot that is filled again while it is full", strength="either", reaches_ends=True, hides=("R341",)),
    Code("R360", "a score line that is always 0", severity="warning", hides=("R393",)),
    Code("R361", "a ranking key that never decides", severity="warning", strength="either"),
    Code("R370", "a choice that depends on what the player does not see", strength="either", reaches_ends=True),
    Code("R371", "hidden information is revealed to everybody", strength="either", reaches_ends=True),
    Code("R372", "being asked to choose reveals hidden information", severity="either", strength="either", reaches_ends=True),
    Code("R373", "an open pile with a secret", strength="either", reaches_ends=True),
    Code("R374", "options that depend on hidden information", strength="played", reaches_ends=True),
    Code("R375", "a hidden pile that nobody shuffles", severity="either", strength="either", reaches_ends=True),
    Code("R376", "`face down`, but everybody sees it", severity="warning", strength="either", reaches_ends=True),
    Code("R380", "a variant that changes nothing", severity="warning"),
    Code("R381", "a line of a variant that changes nothing", severity="warning"),
    Code("R382", "a redundant need or exclusion", severity="warning"),
    Code("R390", "a game that can no longer end", strength="played"),
    Code("R391", "a game that need not end", severity="warning", strength="played"),
    Code("R392", "an option that nobody can ever choose", severity="warning", strength="played"),
    Code("R393", "a score line that is always 0", severity="warning", strength="played"),
    Code("R394", "a player who can never win", severity="warning", strength="played"),
    Code("R395", "too little of the rules was reached", strength="played"),
    # ---- Tables that are chosen, variants, options
    _table("R401", "there is no such variant"),
    _table("R402", "a variant that cannot be played here"),
    _table("R403", "two variants that change the same thing"),
    _table("R404", "there is no such option"),
    _table("R405", "a value that an option or a table cannot have", hides=("R381", "R405")),
    _table("R406", "a number of players that the game does not allow", joined="players", hides=("R333",)),
    _table("R407", "an option that a variant fixes"),
    _table("R408", "a variant that no table can play", joined="players", hides=("R327", "R333", "R402")),
    # ---- Tests
    Code("R501", "a test does not name its players"),
    Code("R502", "an expectation that fails"),
    Code("R503", "chance cannot do what a test says"),
    Code("R504", "an act of a test is not possible"),
    Code("R505", "a tile that a test lays wrongly"),
    Code("R506", "a test that expects nothing"),
    Code("R507", "more components than there are"),
    # ---- Faults in play
    _fault("R601", "nothing is allowed"),
    _fault("R602", "a value leaves its domain in play"),
    _fault("R603", "a table has no row for a value in play", hides=("R303",)),
    _fault("R604", "nothing to draw or to choose from by chance"),
    _fault("R605", "a ranking that does not decide"),
    _fault("R606", "a loop that does not end"),
    _fault("R607", "a game that does not end"),
    _fault("R608", "a loop that used up its rounds"),
    _fault("R609", "a second component in a slot"),
    _fault("R610", "a value that is not there"),
    _fault("R611", "a division by 0 in play"),
    _fault("R612", "a cell that is taken"),
    _fault("R699", "a fault of this program"),
    # ---- Transcripts and baselines
    _run("R701", "a file that is not a transcript", usage="always"),
    _run("R702", "the rules of a transcript are not there", usage="always"),
    _run("R703", "the rules have changed since the game was played", severity="warning"),
    _run("R704", "an act of a transcript does not fit"),
    _run("R706", "a file that is not a baseline of findings", usage="always"),
    _run("R707", "a file that is not a pack, or cannot be put into one", usage="always"),
    _run("R708", "what a page needs to run rules is not there", usage="always"),
    # ---- Translations
    Code("R720", "a file of translations that cannot be used"),
    Code("R721", "a file of translations of another game"),
    Code("R722", "a translation with other places than its text"),
    Code("R723", "a translation that is not complete", severity="warning"),
    # ---- Runs
    _run("R801", "an unknown bot", usage="always"),
    _run("R802", "a file that is not a checkpoint", usage="always"),
    _run("R803", "a checkpoint of another run", usage="always"),
    _run("R804", "a package that is not installed", usage="always"),
    _run("R805", "an invalid condition", usage="always"),
    _run("R806", "an invalid sweep", usage="always"),
    _run("R807", "a baseline that cannot be used", usage="always"),
    _run("R808", "a player of your own that cannot be used", usage="always"),
    _run("R809", "a cluster that cannot be used", usage="always"),
    _run("R810", "a player of your own that fails"),
    _run("R811", "an invalid goal", usage="always"),
    _run("R820", "a game that takes too long"),
    _run("R830", "a game that is too large to be solved", usage="always"),
    _run("R831", "a depth that cannot be counted", usage="always"),
    _run("R832", "a game that is more than its acts", usage="always"),
    _run("R833", "a game that repeats positions cannot be solved", usage="always"),
    _run("R840", "a size that cannot be printed", usage="always"),
    _run("R841", "letters that no font has", usage="always"),
    _run("R842", "more than can be printed", usage="always"),
)
CODES = {code.name: code for code in _DECLARED}


def page(code: str) -> str:
    """The page of a code, as Markdown; its first line is ``# CODE: title``."""
    folder = files(__name__.partition(".interpreter")[0]) / "docs" / "codes"
    return (folder / f"{code}.md").read_text(encoding="utf-8")


def like(code: str) -> str:
    """Which codes may be meant by one that there is not, as a question; empty where none is near.

    What is written as codes are (a letter, three digits) may only mean one of its own family.
    """
    wanted = code.upper()
    whole = len(wanted) == 4 and wanted[1:].isdecimal()
    known = [name for name in CODES if not whole or name[1] == wanted[1]]
    near = [f"`{name}`" for name in sorted(get_close_matches(wanted, known, n=3, cutoff=0.75))]
    return f"did you mean {listed(near, 'or')}?" if near else ""
