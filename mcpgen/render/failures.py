"""Says in words, and with file and line, why a template failed."""

from __future__ import annotations

from jinja2 import TemplateNotFound, TemplateSyntaxError, UndefinedError

from mcpgen.diagnostics import Location


def failure_of(error: Exception, template: str) -> tuple[str, Location]:
    """The message of an exception and the place in the templates where it happened.

    Args:
        error: what was raised while `template` (a path) was loaded or rendered.
        template: the place, where nothing more exact is known.
    """
    if isinstance(error, TemplateSyntaxError):
        return _sentence(str(error.message)), Location(error.filename or template, "", error.lineno, 1)
    place = Location(template)
    traceback = error.__traceback__
    while traceback is not None:
        name = traceback.tb_frame.f_code.co_filename
        if name.endswith(".jinja"):
            place = Location(name, "", traceback.tb_lineno, 1)
        traceback = traceback.tb_next
    return _sentence(_words(error)), place


def _sentence(text: str) -> str:
    return f"{text.rstrip('.')}."


def _words(error: Exception) -> str:
    plugin = getattr(error, "plugin", None)
    if plugin is not None:
        return str(error)
    if isinstance(error, UndefinedError | TemplateNotFound):
        return str(error.message)
    if isinstance(error, UnicodeDecodeError):
        return "The file is not UTF-8 text; a layer can add text only"
    if isinstance(error, RecursionError):
        return "The template includes itself without end"
    return str(error) or type(error).__name__
