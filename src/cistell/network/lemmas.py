"""Lemmas as rules that turn words into them, so that a network can choose one.

A rule says how the lemma is written, `l` in lower case, `t` with a capital, `u` in
capitals, `=` as the word is; then how many letters to cut from the end, and what to put
there. Where word and lemma share no beginning, `!` and the whole lemma stand there.
"""

from __future__ import annotations

AS_IT_IS = "=0"


def rule_of(form: str, lemma: str) -> str:
    """Find the rule that turns a word into its lemma.

    >>> rule_of("Cities", "city"), rule_of("NATO", "NATO"), rule_of("was", "be")
    ('l3y', '=0', 'l!be')
    """
    if lemma in (form, "_", ""):
        return AS_IT_IS
    case = _case(lemma)
    source, target = (form, lemma) if case == "=" else (form.lower(), lemma.lower())
    shared = _shared(source, target)
    if not shared:
        return f"{case}!{target}"
    return f"{case}{len(source) - shared}{_quoted(target[shared:])}"


def _shared(one: str, other: str) -> int:
    """Count the letters that two words begin with."""
    differ = (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(differ, min(len(one), len(other)))


def _quoted(ending: str) -> str:
    """Set an ending off from the number before it, if it begins with a digit."""
    return f"+{ending}" if ending[:1].isdecimal() or ending[:1] == "+" else ending


def _case(lemma: str) -> str:
    """Name the way in which a lemma is written."""
    ways = {"l": lemma.lower(), "t": lemma.capitalize(), "u": lemma.upper()}
    return next((way for way, written in ways.items() if written == lemma), "=")


def lemma_by(rule: str, form: str) -> str:
    """Apply a rule to a word; a lemma is never empty.

    >>> lemma_by("l3y", "Flies"), lemma_by("=0", "NATO"), lemma_by("l!be", "Is")
    ('fly', 'NATO', 'be')
    """
    case, rest = rule[0], rule[1:]
    source = form if case == "=" else form.lower()
    if rest.startswith("!"):
        made = rest[1:]
    else:
        ending = rest.lstrip("0123456789")
        cut = int(rest[: len(rest) - len(ending)])
        made = source[: max(len(source) - cut, 0)] + ending.removeprefix("+")
    written = {"t": made.capitalize(), "u": made.upper()}
    return written.get(case, made) or form
