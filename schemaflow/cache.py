"""The cache: adapted schemas by content, for one adapter."""

from collections import OrderedDict
from threading import Lock
from typing import Any

import orjson
from attrs import Factory, define, field

from schemaflow.adapters import Adapter, Result, to_bytes
from schemaflow.intake import admit, plain_copy
from schemaflow.keywords import Schema


@define(eq=False, slots=False)
class SchemaCache:
    """
    Results of one adapter, by the content of the schema.

    The key is the schema's JSON text itself, so that no two schemas can share an
    entry; one cache serves one adapter, so neither can two adapters. At most
    `max_entries` results and `max_bytes` bytes of keys are kept, the least recently
    used ones go first. Safe to share between threads, which convert in parallel.
    """

    adapter: Adapter
    max_entries: int = field(default=4096, kw_only=True)
    max_bytes: int = field(default=64 * 2**20, kw_only=True)
    _entries: OrderedDict[bytes, Result] = field(factory=OrderedDict, init=False, repr=False)
    _bytes: int = field(default=0, init=False)
    _lock: Any = field(default=Factory(Lock), init=False, repr=False)

    def adapt(self, schema: Schema | bool | None) -> Result:
        """
        What `Adapter.adapt` gives, from the cache where it can be.

        The result is shared between callers: it must not be changed. Raises what
        `Adapter.adapt` raises; errors are not kept.
        """
        if schema is None:
            return self.adapter.adapt(None)
        document, raw = admit(schema, self.adapter.plan.limits)
        key = to_bytes(document) if raw is None else raw
        with self._lock:
            known = self._entries.get(key)
            if known is not None:
                self._entries.move_to_end(key)
                return known
        # A result may share with its input, which the caller may change later: convert a copy.
        private = plain_copy(document) if raw is None else orjson.loads(raw)
        result = self.adapter.adapt(private)
        with self._lock:
            self._keep(key, result)
        return result

    def normalize(self, schema: Schema | bool | None, *, copy: bool = False) -> Any:
        """The adapted schema alone: shared and not to be changed, or with `copy` a private one."""
        result = self.adapt(schema)
        return result.copy() if copy else result.schema

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._entries.clear()
            self._bytes = 0

    def __len__(self) -> int:
        return len(self._entries)

    def _keep(self, key: bytes, result: Result) -> None:
        if key in self._entries or len(key) > self.max_bytes:
            return
        self._entries[key] = result
        self._bytes += len(key)
        while len(self._entries) > self.max_entries or self._bytes > self.max_bytes:
            gone, _ = self._entries.popitem(last=False)
            self._bytes -= len(gone)
