"""How long work takes, in words, and how long what is left of it will take."""

from __future__ import annotations

_SOON = 0.02  # before such a share is done, nobody knows how long the rest takes


def seconds_left(spent: float, done: float) -> float | None:
    """Tell how long the rest takes, if it goes on as before; None if it is too soon.

    >>> seconds_left(30, 0.25), seconds_left(30, 0.001)
    (90.0, None)
    """
    return spent / done * (1 - done) if done >= _SOON else None


def in_words(seconds: float) -> str:
    """Say how long something takes, about.

    >>> in_words(20), in_words(200), in_words(4000)
    ('less than a minute', '3 minutes', '67 minutes')
    """
    minutes = round(seconds / 60)
    if minutes < 1:
        return "less than a minute"
    return f"{minutes} minute{'s' if minutes > 1 else ''}"


def rest_in_words(seconds: float | None) -> str:
    """Say how long the rest takes, behind a share; nothing if that is not known.

    >>> rest_in_words(0.2), rest_in_words(42), rest_in_words(200), rest_in_words(None)
    (', 1 second left', ', 42 seconds left', ', 3 minutes left', '')
    """
    if not seconds:
        return ""
    number = max(1, round(seconds))
    if number >= 60:
        return f", {in_words(seconds)} left"
    return f", {number} second{'s' if number > 1 else ''} left"
