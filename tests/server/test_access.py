"""Who may call what: each route, signed in or not, allowed or not, by browser or by token."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from jupyter_server.auth import Authorizer
from tornado.httpclient import HTTPClientError
from tornado.httputil import parse_cookie

if TYPE_CHECKING:
    from collections.abc import Callable

    from jupyter_server.serverapp import ServerApp

ROUTES = [
    ("GET", ("snapshot",), "read"),
    ("GET", ("history",), "read"),
    ("GET", ("diagnostics",), "read"),
    ("GET", ("kernels", "0000", "free"), "read"),
    ("POST", ("kernels", "0000", "free"), "execute"),
    ("DELETE", ("kernels", "0000", "free"), "execute"),
    ("POST", ("kernels", "0000", "refresh"), "execute"),
    ("GET", ("kernels", "0000", "cells"), "read"),
    ("GET", ("kernels", "0000", "holders"), "read"),
]


class Denying(Authorizer):
    """Deny one action on one resource, allow all else."""

    denied: tuple[str, str] = ("", "")

    def is_authorized(self, handler: Any, user: Any, action: str, resource: str) -> bool:
        return (action, resource) != self.denied


@pytest.fixture
def jp_server_config() -> dict[str, Any]:
    return {
        "ServerApp": {
            "jpserver_extensions": {
                "jupyterlab_gpumem": True,
                # Its socket lacks the sign-in mark that allow_unauthenticated_access asks for.
                "jupyter_server_terminals": False,
            },
            "authorizer_class": Denying,
            "allow_unauthenticated_access": False,
        }
    }


async def status_of(
    fetch: Callable[..., Any], method: str, parts: tuple[str, ...], **more: Any
) -> int:
    body = json.dumps({"level": "cache"}) if method == "POST" else None
    try:
        response = await fetch("jupyterlab-gpumem", "v1", *parts, method=method, body=body, **more)
    except HTTPClientError as error:
        return error.code
    code: int = response.code
    return code


@pytest.mark.parametrize(("method", "parts", "action"), ROUTES)
async def test_nobody_gets_in_without_a_token(
    jp_fetch: Callable[..., Any], method: str, parts: tuple[str, ...], action: str
) -> None:
    status = await status_of(jp_fetch, method, parts, headers={"Authorization": "token wrong"})
    assert status in (401, 403)


@pytest.mark.parametrize(("method", "parts", "action"), ROUTES)
async def test_an_authorizer_that_denies_the_action_on_kernels_is_obeyed(
    jp_fetch: Callable[..., Any],
    jp_serverapp: ServerApp,
    method: str,
    parts: tuple[str, ...],
    action: str,
) -> None:
    authorizer = jp_serverapp.authorizer
    assert isinstance(authorizer, Denying)
    allowed = await status_of(jp_fetch, method, parts)
    assert allowed in (200, 404)
    authorizer.denied = (action, "kernels")
    assert await status_of(jp_fetch, method, parts) == 403
    authorizer.denied = (action, "contents")
    assert await status_of(jp_fetch, method, parts) == allowed


async def test_a_browser_needs_the_xsrf_token_to_post(
    jp_fetch: Callable[..., Any], jp_serverapp: ServerApp, jp_base_url: str
) -> None:
    token = jp_serverapp.identity_provider.token
    form = await jp_fetch("login", headers={"Authorization": ""})
    with pytest.raises(HTTPClientError) as redirect:
        await jp_fetch(
            "login",
            headers={"Authorization": ""},
            params={"token": token},
            follow_redirects=False,
        )
    signed_in = redirect.value.response
    assert signed_in is not None
    cookies = {
        name: value
        for response in (form, signed_in)
        for header in response.headers.get_list("Set-Cookie")
        for name, value in parse_cookie(header.partition(";")[0]).items()
    }
    assert "_xsrf" in cookies
    cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
    browser = {"Authorization": "", "Cookie": cookie}
    parts = ("kernels", "0000", "free")
    assert await status_of(jp_fetch, "GET", ("snapshot",), headers=dict(browser)) == 200
    assert await status_of(jp_fetch, "POST", parts, headers=dict(browser)) == 403
    with_token = {**browser, "X-XSRFToken": cookies["_xsrf"]}
    assert await status_of(jp_fetch, "POST", parts, headers=with_token) == 404
