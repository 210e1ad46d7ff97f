"""Names by which an API takes another method than that of the request."""

from __future__ import annotations

METHOD_OVERRIDES = frozenset({"_method", "x-http-method-override", "x-http-method", "x-method-override"})
"""Query parameters and body fields, in lower case, that frameworks (Rails, Laravel, Express) read the method from. No caller
sets them: one of a reading tool could delete. Generated servers do not send them either (`runtime.requests.overriding`)."""
