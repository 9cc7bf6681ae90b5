"""What commands write: bytes for programs on stdout, lines for people on stderr, rich text where asked."""

import sys
from errno import EBADF
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from schemaflow.effect import Effect


def write(data: bytes) -> None:
    """Bytes to stdout, at once."""
    if sys.stdout is None:
        raise OSError(EBADF, "standard output is closed")
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def write_json(value: Any) -> None:
    """A JSON value to stdout, indented."""
    write(pretty(value) + b"\n")


def pretty(value: Any) -> bytes:
    """A JSON value as indented JSON; what `orjson` refuses goes the slow way."""
    import orjson

    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2)
    except (TypeError, orjson.JSONEncodeError):
        import json

        # Lone surrogates have no UTF-8 form: only then are characters escaped.
        text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
        try:
            return text.encode()
        except UnicodeEncodeError:
            return json.dumps(value, indent=2, allow_nan=False).encode()


def fail(text: str) -> None:
    """Why a command could not do its work."""
    _line("Error", text)


def warn(text: str) -> None:
    """Something to know about what the command did."""
    _line("Warning", text)


def set_aside(text: str) -> None:
    """A tool that could not be adapted."""
    _line("Set aside", text)


def _line(kind: str, text: str) -> None:
    click.echo(f"{kind}: {printable(text)}", err=True)


def printable(text: str) -> str:
    """The text with everything escaped that a terminal would obey instead of showing, but for line ends."""
    if text.isprintable():
        return text
    shown = (one if one.isprintable() or one == "\n" else one.encode("unicode_escape").decode() for one in text)
    return "".join(shown)


def console(*, stderr: bool = False) -> "Console":
    """A rich console that takes text as it is."""
    from rich.console import Console

    class Screen(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    return Screen(stderr=stderr, markup=False, emoji=False, highlight=False)


_STYLES = {"exact": "green", "widens": "yellow", "narrows": "magenta", "both": "red", "unknown": "red"}


def effect_text(effect: "Effect") -> "Text":
    """The effect's word, in its colour."""
    from rich.text import Text

    return Text(effect.word, style=_STYLES[effect.word])


def is_terminal_input() -> bool:
    """Whether standard input is somebody's keyboard."""
    return sys.stdin is not None and sys.stdin.isatty()
