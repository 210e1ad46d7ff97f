"""Texts that end what they stand in, in one of the languages that a generated project is written in, and what they must not do."""

from __future__ import annotations

COMPUTED = "1787569"
"""What a template engine makes of 1337*1337; it must never be seen."""
PROOF = "INJECTED"
"""The file that a payload would write if it ran."""

_RUN = f"__import__('pathlib').Path('{PROOF}').touch()"

PAYLOADS: dict[str, str] = {
    "single quote": f"' + {_RUN} + '",
    "double quote": f'" + {_RUN} + "',
    "triple quotes": f'"""\n{_RUN}\n"""',
    "triple single quotes": f"'''\n{_RUN}\n'''",
    "quotes at the end": '""',
    "backslash at the end": "text \\",
    "backslash and quote": '\\"',
    "backslashes and triple quotes": '\\"""\\\\"""\\',
    "escapes": "\\x22\\u0022\\N{QUOTATION MARK}\\n\\0",
    "carriage return": f"text\r{_RUN}\r\n{_RUN}\r",
    "line feed": f"text\n{_RUN}\nimport os\n",
    "NUL": f"text\x00{_RUN}",
    "form feed": f"text\x0c{_RUN}\x0b{_RUN}",
    "separators of units": f"text\x1c{_RUN}\x1d{_RUN}\x1e{_RUN}",
    "NEL": f"text\x85{_RUN}",
    "line separator": f"text\u2028{_RUN}\u2029{_RUN}",
    "escape sequence": "\x1b[2J\x1b]0;title\x07\x08\x7f",
    "text direction": "\u202e)(touch\u202c \u2066x\u2069 \u200f",
    "Jinja expression": "{{ 1337*1337 }}",
    "Jinja statement": "{% for x in range(9) %}{{ 1337*1337 }}{% endfor %}{# no #}",
    "Jinja escape": "{{ self.__init__.__globals__.__builtins__ }}{% raw %}",
    "f-string": f"{{{_RUN}}}{{1337*1337}}",
    "format field": "{0.__class__.__mro__} {call.__globals__} {} {x!r:>{w}}",
    "percent": "%s %(x)s %d %n %",
    "dollar": "${PATH} $(touch INJECTED) `touch INJECTED` $$",
    "comment": f"# {_RUN}\n#!/bin/sh\n# fmt: off\n# noqa\n# type: ignore",
    "coding line": "# -*- coding: utf-7 -*-",
    "path": "/../../../../tmp/INJECTED",
    "path of Windows": "..\\..\\INJECTED",
    "absolute path": "/etc/cron.d/INJECTED",
    "device": "CON",
    "module of Python": "__init__",
    "keyword": " class import lambda ",
    "YAML": "- !!python/object/apply:os.system ['touch INJECTED']\n--- &a *a : [x",
    "TOML": "\"\n[tool.hatch.build.hooks.custom]\npath = \"INJECTED.py\"\n'''\n",
    "Markdown": "](javascript:alert(1)) ![x](https://evil.example/x.png) | `x` ```\n\n# Heading\n***",
    "fence": "\n```\n~~~\n````sh\ntouch INJECTED\n",
    "reference": "\n\n[x]: https://evil.example\n<https://evil.example>",
    "HTML": "<script>alert(1)</script><img src=x onerror=alert(1)><!-- --> &lt;b&gt; &#60;i&#62;",
    "compatibility forms": "\uff07\uff02\uff08\uff09 \ufe4d \u2024\u2024\u2215\uff3c \uff49\uff4d\uff50\uff4f\uff52\uff54",
    "lookalike": "\u0456mport \u043e\u0455 \uff3f\uff3finit\uff3f\uff3f",
    "half a pair": "\ud800 text",
    "vendor keys": "customTypePath customBasePath x-python-import x-python-type x-enum-varnames",
    "header": "text\r\nX-Injected: 1\r\n\r\nbody",
    "address": "http://169.254.169.254/?@evil.example:80#",
    "reference of JSON": "#/../../x.json",
    "long": "word " * 2_000,
    "long word": "w" * 5_000,
}

HARMLESS = " harmless"
HARMLESS_TWINS = {"long": "text " * 2_000, "long word": "v" * 5_000}
"""Payloads whose length alone has an effect, because published schemas have a budget: their twin is as long."""

VENDOR_KEYS = {
    "customTypePath": f"os.system; {_RUN}",
    "customBasePath": "os.PathLike",
    "x-python-import": {"module": "os", "name": "system"},
    "x-python-type": f"Annotated[str, {_RUN}]",
    "x-enum-varnames": [f"A = {_RUN}"],
    "x-field-name": f"a = {_RUN}",
    "default_factory": _RUN,
}
"""Keys with which datamodel-code-generator lets a schema name Python objects."""
