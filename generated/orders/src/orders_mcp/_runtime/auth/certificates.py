"""Client certificates for mutual TLS (RFC 8446, 4.4.2; OpenAPI 3.2, Security Scheme Object, `mutualTLS`)."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate file (PEM, with its chain) and the file of its private key, where that is another one."""

    file: str
    key: str | None = None
    password: str | None = field(default=None, repr=False)

    def load(self, context: ssl.SSLContext) -> None:
        """Makes the context show this certificate.

        Raises:
            ValueError: the files are missing, broken, don't belong together, or need a password. The message
                says which, without anything of their content.
        """
        for name in filter(None, (self.file, self.key)):
            if not Path(name).is_file():
                raise ValueError(f"there is no file {name}")
        try:
            # Without a password function, OpenSSL would ask for it on the terminal, which the protocol owns.
            context.load_cert_chain(self.file, self.key, password=lambda: self.password or "")
        except (OSError, ssl.SSLError) as error:
            raise ValueError(
                "the certificate and its key can't be read, don't belong together, or need a password"
            ) from error

    def check(self) -> None:
        """Finds out at start-up what would otherwise fail with the first call.

        Raises:
            ValueError: as `load`.
        """
        self.load(ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT))
