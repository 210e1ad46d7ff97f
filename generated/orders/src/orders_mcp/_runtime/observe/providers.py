"""Sets up OpenTelemetry's SDK, an optional extra, from the standard `OTEL_*` variables of the process.

What the process has set up itself stays: spans and metrics then go there.
"""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from opentelemetry import trace

from ..catalog import ServerInfo
from .spans import SCOPE

if TYPE_CHECKING:
    from opentelemetry.metrics import Meter

_HTTP = "http/protobuf"


class TelemetryError(ValueError):
    """It can't be set up. The message says why, for the operator."""


@dataclass(slots=True)
class Telemetry:
    """What was set up.

    Attributes:
        meters: where metrics are told.
        registry: what Prometheus reads; None when that was not asked for.
    """

    meters: list[Meter] = field(default_factory=list)
    registry: Any = None
    closing: list[Callable[[], Any]] = field(default_factory=list)

    def close(self) -> None:
        """Sends what is waiting to be sent."""
        for close in self.closing:
            close()
        self.closing.clear()


def set_up(server: ServerInfo, *, telemetry: bool, prometheus: bool) -> Telemetry:
    """The SDK for traces and metrics (`telemetry`), and a registry for Prometheus.

    Raises:
        TelemetryError: the extra is not installed, or an `OTEL_*` variable asks for something that it can't do.
    """
    done = Telemetry()
    exporters = {signal: _exporters(signal) for signal in ("TRACES", "METRICS")} if telemetry else {}
    try:
        resource = _resource(server)
        if telemetry:
            _traces(resource, exporters["TRACES"], done)
            _metrics(resource, exporters["METRICS"], done)
        if prometheus:
            _prometheus(resource, done)
    except ImportError as error:
        done.close()
        raise TelemetryError(
            f"{error.name} is not installed: install this package with its extra `telemetry`"
        ) from error
    return done


def exporter_credentials() -> Iterator[str]:
    """What `OTEL_EXPORTER_OTLP_HEADERS` and its like hold: keys of whoever takes the telemetry."""
    for name, text in os.environ.items():
        if name.startswith("OTEL_EXPORTER_OTLP_") and name.endswith("HEADERS"):
            for pair in text.split(","):
                value = unquote(pair.partition("=")[2]).strip()
                yield from filter(None, (value, value.partition(" ")[2]))


def _module(name: str) -> Any:
    """A module of the extra, which need not be there when this is type-checked."""
    return importlib.import_module(f"opentelemetry.{name}")


def _resource(server: ServerInfo) -> Any:
    """Who tells: what `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` say, else the server's own name."""
    resources = _module("sdk.resources")
    told = resources.Resource.create()
    own = {} if _named() else {"service.name": server.name}
    version = (
        {}
        if "service.version" in told.attributes or not server.version
        else {"service.version": server.version}
    )
    return told.merge(resources.Resource(own | version))


def _named() -> bool:
    attributes = os.environ.get("OTEL_RESOURCE_ATTRIBUTES", "")
    return bool(os.environ.get("OTEL_SERVICE_NAME")) or "service.name=" in attributes


def _unset(provider: object) -> bool:
    """Whether it is the API's own stand-in, which records nothing."""
    return type(provider).__module__.startswith(("opentelemetry.trace", "opentelemetry.metrics"))


def _traces(resource: Any, exporters: list[str], done: Telemetry) -> None:
    if not _unset(trace.get_tracer_provider()):
        return
    export = _module("sdk.trace.export")
    provider = _module("sdk.trace").TracerProvider(resource=resource)
    for exporter in exporters:
        if exporter == "console":
            provider.add_span_processor(
                export.SimpleSpanProcessor(export.ConsoleSpanExporter(out=sys.stderr))
            )
        else:
            otlp = _module("exporter.otlp.proto.http.trace_exporter").OTLPSpanExporter()
            provider.add_span_processor(export.BatchSpanProcessor(otlp))
    trace.set_tracer_provider(provider)
    done.closing.append(provider.shutdown)


def _metrics(resource: Any, exporters: list[str], done: Telemetry) -> None:
    from opentelemetry import metrics

    if _unset(metrics.get_meter_provider()):
        export = _module("sdk.metrics.export")
        readers = []
        for exporter in exporters:
            if exporter == "console":
                sending = export.ConsoleMetricExporter(out=sys.stderr)
            else:
                sending = _module("exporter.otlp.proto.http.metric_exporter").OTLPMetricExporter()
            readers.append(export.PeriodicExportingMetricReader(sending))
        provider = _module("sdk.metrics").MeterProvider(readers, resource=resource)
        metrics.set_meter_provider(provider)
        done.closing.append(provider.shutdown)
    done.meters.append(metrics.get_meter(SCOPE))


def _prometheus(resource: Any, done: Telemetry) -> None:
    done.registry = importlib.import_module("prometheus_client").CollectorRegistry()
    reader = _module("exporter.prometheus").PrometheusMetricReader(
        scope_info_enabled=False, registry=done.registry
    )
    provider = _module("sdk.metrics").MeterProvider([reader], resource=resource)
    done.meters.append(provider.get_meter(SCOPE))
    done.closing.append(provider.shutdown)


def _exporters(signal: str) -> list[str]:
    """The exporters that `OTEL_TRACES_EXPORTER` or `OTEL_METRICS_EXPORTER` names: `otlp`, `console`, `none`.

    Standard output belongs to the protocol, so `console` is standard error.
    """
    variable = f"OTEL_{signal}_EXPORTER"
    names = [name.strip() for name in (os.environ.get(variable) or "otlp").split(",") if name.strip()]
    for name in names:
        if name not in ("otlp", "console", "none"):
            raise TelemetryError(f"{variable}: {name!r} is not one of otlp, console, none")
    kind = f"OTEL_EXPORTER_OTLP_{signal}_PROTOCOL"
    for protocol in (kind, "OTEL_EXPORTER_OTLP_PROTOCOL"):
        wanted = os.environ.get(protocol) or _HTTP
        if "otlp" in names and wanted != _HTTP:
            raise TelemetryError(f"{protocol}: {wanted!r} is not supported, only {_HTTP}")
        if os.environ.get(protocol):
            break
    return [name for name in names if name != "none"]
