"""Everything that watches the calls of one server, as the operator has asked for it."""

from __future__ import annotations

import sys
from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..catalog import Catalog
from ..secrecy.redact import Redactor
from ..setup.settings import Settings, SettingsError

if TYPE_CHECKING:
    from .audit import AuditLog
    from .events import Ended
    from .metrics import CallMetrics
    from .providers import Telemetry
    from .stats import Stats


@dataclass(slots=True)
class Observers:
    """Who is told about calls; nobody where nothing is asked for."""

    server: str
    audit: AuditLog | None = None
    stats: Stats | None = None
    metrics: Collection[CallMetrics] = ()
    telemetry: Telemetry | None = None
    _closed: bool = False

    @property
    def registry(self) -> Any:
        """What Prometheus reads; None when the operator has not asked for it."""
        return None if self.telemetry is None else self.telemetry.registry

    def began(self, tool: str) -> None:
        """A call has begun."""
        for metrics in self.metrics:
            metrics.began(tool)

    def count(self, ended: Ended) -> None:
        """A call is over: everything but its audit line."""
        if self.stats is not None:
            self.stats.add(ended)
        for metrics in self.metrics:
            metrics.add(ended)

    def close(self) -> None:
        """The server stops: says the summary, where it is wanted, and sends what waits. A second time does nothing."""
        if self._closed:
            return
        self._closed = True
        if self.stats is not None:
            print(self.stats.summary(self.server), file=sys.stderr, flush=True)
        if self.telemetry is not None:
            self.telemetry.close()


def observers_for(catalog: Catalog, settings: Settings, redactor: Redactor) -> Observers:
    """The observers that the settings ask for. What nobody asked for is not even imported.

    Raises:
        SettingsError: the audit file can't be written, or OpenTelemetry can't be set up.
    """
    prefix = catalog.server.env_prefix
    found = Observers(catalog.server.name)
    if settings.audit:
        from .audit import AuditLog

        found.audit = AuditLog(settings.audit, catalog.server, redactor)
        try:
            found.audit.check()
        except ValueError as error:
            raise SettingsError([f"{prefix}_AUDIT: {error}"]) from error
    if settings.summary:
        from .stats import Stats

        found.stats = Stats()
    if settings.telemetry or settings.metrics:
        from .metrics import CallMetrics
        from .providers import TelemetryError, exporter_credentials, set_up

        try:
            found.telemetry = set_up(
                catalog.server, telemetry=settings.telemetry, prometheus=settings.metrics
            )
        except TelemetryError as error:
            variable = "TELEMETRY" if settings.telemetry else "METRICS"
            raise SettingsError([f"{prefix}_{variable}: {error}"]) from error
        for credential in exporter_credentials():
            redactor.add(credential)
        found.metrics = [CallMetrics(meter) for meter in found.telemetry.meters]
    return found
