"""Which names tell that a value is secret: `password`, `X-Api-Key`, `clientSecret`, and what the operator adds.

By name a value is kept out of logs, audit lines, spans and questions to the user. Results are another matter: a tool
that creates a token has to give it to who asked for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import pairwise
from typing import Any

_LONGEST_NAME = 200
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")

_SECRET = frozenset(
    "authorization authorisation auth bearer cookie cookies jwt otp totp pwd passwd pw pwds cvv cvc cvc2 csc "
    "sig signature assertion csrf xsrf jsessionid phpsessid sessionid sessid".split()
)
_ENDINGS = tuple(
    "password passwords passwd passphrase passphrases passcode secret secrets token tokens credential credentials "
    "apikey apikeys accesskey secretkey privatekey signingkey encryptionkey sharedkey masterkey subscriptionkey "
    "accountkey authkey sessionkey sshkey licensekey authcode authorizationcode securitycode verificationcode "
    "onetimecode recoverycode backupcode recoverycodes backupcodes codeverifier authheader".split()
)
_NUMERIC = frozenset("password passwd pwd passcode pin otp totp cvv cvc cvc2 csc".split())
"""Under these names a number is a secret too. Elsewhere it is a count or a limit: `max_tokens`."""
_PAGING = frozenset(
    "page pagination paging next prev previous continuation continue sync cursor delta resume change changes skip "
    "scroll start marker".split()
)
"""With these words a token says where a list goes on."""
_ABOUT = frozenset(
    "type types name names count limit expires expiry expiration expired at in url uri endpoint length policy status "
    "version format required enabled ttl lifetime id ids usage budget consent strength age rotation scope scopes "
    "description title label created updated category kind source provider method mode domain path".split()
)
"""A last word of these tells about a secret, not the secret itself."""
_DESPITE = frozenset({"secretid"})


class SecretNames:
    """Answers whether a value is secret because of the name it has.

    Args:
        further: names that the operator adds; they count inside longer names too (`ssn` in `customer_ssn`).
        exact: names that count only as they are.
    """

    def __init__(self, further: Iterable[str] = (), exact: frozenset[str] = frozenset()) -> None:
        self._given = tuple(further)
        self._further = tuple(filter(None, map(_words, self._given)))
        self._exact = exact
        self._judged = lru_cache(maxsize=4096)(self._judge)

    def with_exact(self, names: frozenset[str]) -> SecretNames:
        """These and some that count only as they are."""
        return SecretNames(self._given, self._exact | names)

    def hide(self, name: str, value: Any) -> bool:
        """Whether this value is to be hidden. Switches and nulls never are: `has_password` is no secret."""
        if value is None or isinstance(value, bool):
            return False
        texts, numbers = self._judged(name if len(name) <= _LONGEST_NAME else name[:_LONGEST_NAME])
        return numbers if isinstance(value, int | float) else texts

    def __contains__(self, name: object) -> bool:
        """Whether a text under this name is secret."""
        return isinstance(name, str) and self._judged(name[:_LONGEST_NAME])[0]

    def _judge(self, name: str) -> tuple[bool, bool]:
        """Whether texts, and whether numbers are secret under a name."""
        words = _words(name)
        if name in self._exact or any(_inside(told, words) for told in self._further):
            return True, True
        numeric = not _NUMERIC.isdisjoint(words)
        pairs = [first + second for first, second in pairwise(words)]
        triples = [pair + last for pair, last in zip(pairs, words[2:], strict=False)]
        told = [word for word in (*words, *pairs, *triples) if word in _SECRET or word.endswith(_ENDINGS)]
        if not told:
            is_pin = words[-1:] == ("pin",)
            return is_pin, is_pin
        if not _DESPITE.isdisjoint(pairs):
            return True, numeric
        paging = all(word.endswith(("token", "tokens")) for word in told) and not _PAGING.isdisjoint(words)
        if words[-1] in _ABOUT or paging:
            return False, False
        return True, numeric


def _words(name: str) -> tuple[str, ...]:
    """The words of a name in camel, snake or kebab case, in lower case."""
    return tuple(word.lower() for word in _WORD.findall(name[:_LONGEST_NAME]))


def _inside(wanted: tuple[str, ...], words: tuple[str, ...]) -> bool:
    if len(wanted) == 1 and wanted[0] == "".join(words):  # `apikey` for `api_key`
        return True
    return any(words[at : at + len(wanted)] == wanted for at in range(len(words) - len(wanted) + 1))
