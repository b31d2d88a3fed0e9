"""Bodies of requests: what is wrong is named by its path."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jupyterlab_gpumem.errors import BadRequest
from jupyterlab_gpumem.server.body import read_free_request


@pytest.mark.parametrize(
    "value",
    [
        {"level": "cache"},
        {"level": "reset", "keep_imports": False, "when_busy": "interrupt"},
        {"level": "cache", "when_busy": "wait"},
        {"level": "objects", "ids": ["variable:x"], "keep": [], "dry_run": True},
    ],
)
def test_a_good_request_is_read_as_it_is(value: dict[str, Any]) -> None:
    assert read_free_request(json.dumps(value).encode()) == value


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b"", "$"),
        (b"{", "$"),
        (b"[]", "$"),
        (b'"reset"', "$"),
        (b"{}", "level"),
        (b'{"level": null}', "level"),
        (b'{"level": "everything"}', "level"),
        (b'{"level": ["reset"]}', "level"),
        (b'{"level": "reset", "keep_imports": 1}', "keep_imports"),
        (b'{"level": "reset", "when_busy": "never"}', "when_busy"),
        (b'{"level": "reset", "force": true}', "force"),
        (b'{"level": "reset", "keep": []}', "keep"),
        (b'{"level": "objects", "keep": "x"}', "keep"),
        (b'{"level": "objects", "ids": ["x", 1]}', "ids[1]"),
        (b'{"level": "objects", "dry_run": 1}', "dry_run"),
        (b"\xff\xfe", "$"),
        (b"[" * 100_000, "$"),
    ],
)
def test_a_bad_request_names_the_field_that_is_wrong(body: bytes, field: str) -> None:
    with pytest.raises(BadRequest) as caught:
        read_free_request(body)
    assert caught.value.field == field
    assert caught.value.message
