"""Cleanups by REST alone, in real kernels of a real server. CPU tensors stand for GPU ones."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from .live import PREFIX, LiveServer

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MIB = 2**20

SETUP = """
import torch, sys, types
def _install():
    from torch.multiprocessing.reductions import StorageWeakRef
    probe = types.ModuleType("gpumem_probe")
    probe.refs = []
    def watch(tensor):
        probe.refs.append(StorageWeakRef(tensor.untyped_storage()))
        return tensor
    probe.watch = watch
    sys.modules["gpumem_probe"] = probe
_install()
"""
ALIVE = "[not r.expired() for r in __import__('sys').modules['gpumem_probe'].refs]"
WATCH = "from gpumem_probe import watch\n"

HOLDERS = {
    "last exception": """
def train():
    weights = watch(torch.ones(16, 2**18))
    raise RuntimeError("stopped")
train()
""",
    "Out": "watch(torch.ones(16, 2**18))",
    "underscore": "_ = watch(torch.ones(16, 2**18))",
    "last_execution_result": """
def strip(result):
    ip = get_ipython()
    ip.events.unregister("post_run_cell", strip)
    for number in list(ip.user_ns["_oh"]):
        ip.user_ns["_oh"].pop(number)
        ip.user_ns.pop(f"_{number}", None)
        ip.user_ns_hidden.pop(f"_{number}", None)
    for name in ("_", "__", "___"):
        setattr(ip.displayhook, name, "")
        ip.user_ns[name] = ip.user_ns_hidden[name] = ""
get_ipython().events.register("post_run_cell", strip)
watch(torch.ones(16, 2**18))
""",
    "variable": "weights = watch(torch.ones(16, 2**18))",
}
"""Cells after which 16 MiB are held, by what holds it."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("free"), older_kernel=True) as live:
        yield live


@pytest.fixture(params=["python3", "ipykernel6"])
def kernel_id(server: LiveServer, request: pytest.FixtureRequest) -> Iterator[str]:
    kernel = server.start_kernel(request.param, path=f"{request.node.name}.ipynb")
    server.attached(kernel)
    yield kernel
    server.call("DELETE", f"api/kernels/{kernel}")


def freed(server: LiveServer, kernel_id: str, **options: bool) -> Any:
    """Reset a kernel whose cell has just ended.

    Its reply can overtake what tells the server of it, which is then right to do nothing yet.
    """

    def attempt() -> Any:
        answer = server.free(kernel_id, level="reset", **options)
        assert answer.status in (200, 409), answer
        return answer.body if answer.status == 200 else None

    return server.until(attempt)


@pytest.mark.timeout(180)
def test_reset_frees_what_any_one_holder_keeps_and_reset_magic_does_not(
    server: LiveServer, kernel_id: str
) -> None:
    with server.client(kernel_id) as user:
        user.run(SETUP)
        for holder, cell in HOLDERS.items():
            user.run(WATCH + cell)
            assert user.value(ALIVE)[-1] or holder == "last_execution_result"
            report = freed(server, kernel_id)
            assert not any(user.value(ALIVE)), holder
            # Asking takes the place of the last result, so that one is gone before we can count.
            if holder != "last_execution_result":
                assert report["freed_host_bytes"] >= 16 * MIB, holder
            assert all(step["error"] is None for step in report["steps"]), report
        # Without us the magic leaves what the last exception's frames hold.
        user.run(WATCH + HOLDERS["last exception"])
        user.run("%reset -f")
        assert user.value(ALIVE)[-1]


@pytest.mark.timeout(120)
def test_a_reset_keeps_imports_counter_and_history_and_nothing_of_the_user(
    server: LiveServer, kernel_id: str
) -> None:
    with server.client(kernel_id) as user:
        user.run("import os.path as osp\nfrom math import sqrt\nmine = 1")
        user.run("2 + 2")
        count = user.run("'last'")["execution_count"]
        report = freed(server, kernel_id)
        assert "mine" in [d["path"] for d in report["dropped"]]
        assert user.run("sqrt(4), osp.sep")["status"] == "ok"
        after = user.run("mine")
        assert (after["status"], after["ename"]) == ("error", "NameError")
        assert after["execution_count"] == count + 2
        freed(server, kernel_id, keep_imports=False)
        assert user.run("sqrt(4)")["ename"] == "NameError"


@pytest.mark.timeout(120)
def test_a_busy_kernel_is_left_alone_or_interrupted_as_asked(
    server: LiveServer, kernel_id: str
) -> None:
    with server.client(kernel_id) as user:
        user.run("import time\nmine = 1")
        user.start("time.sleep(300)")
        server.until(lambda: server.kernel(kernel_id)["execution_state"] == "busy")
        refused = server.free(kernel_id, level="reset")
        assert (refused.status, refused.body["reason"]) == (409, "busy")
        done = server.free(kernel_id, level="reset", when_busy="interrupt")
        assert done.status == 200, done
        assert "mine" in [d["path"] for d in done.body["dropped"]]
        assert user.run("time.sleep(0)")["status"] == "ok"


@pytest.mark.timeout(120)
def test_a_cell_that_awaits_is_woken_up_when_interrupted(
    server: LiveServer, kernel_id: str
) -> None:
    with server.client(kernel_id) as user:
        user.start("import asyncio\nawait asyncio.sleep(300)")
        server.until(lambda: server.kernel(kernel_id)["execution_state"] == "busy")
        done = server.free(kernel_id, level="cache", when_busy="interrupt")
        assert done.status == 200, done


@pytest.mark.timeout(120)
def test_a_cell_that_will_not_stop_is_reported_and_nothing_is_freed(
    server: LiveServer, kernel_id: str
) -> None:
    stubborn = """
import time
mine = 1
deadline = time.monotonic() + 8
while time.monotonic() < deadline:
    try:
        time.sleep(0.1)
    except KeyboardInterrupt:
        pass
"""
    with server.client(kernel_id) as user:
        user.start(stubborn)
        server.until(lambda: server.kernel(kernel_id)["execution_state"] == "busy")
        refused = server.free(kernel_id, level="reset", when_busy="interrupt")
        assert (refused.status, refused.body["reason"]) == (409, "still_busy")
        assert user.run("mine")["status"] == "ok"


@pytest.mark.timeout(120)
def test_a_kernel_that_dies_during_a_cleanup_is_reported_at_once(server: LiveServer) -> None:
    kernel_id = server.start_kernel()
    server.attached(kernel_id)
    with server.client(kernel_id) as user:
        user.run(
            "import os\nclass Deadly:\n    def __del__(self, end=os._exit): end(1)\nd = Deadly()"
        )
    started = time.monotonic()
    answer = server.free(kernel_id, level="reset")
    assert (answer.status, answer.body["reason"]) == (502, "kernel_failed")
    assert time.monotonic() - started < 30
    # The server restarts the kernel, and the agent is there again.
    server.attached(kernel_id)
    assert server.free(kernel_id, level="cache").status == 200


@pytest.mark.timeout(120)
def test_an_agent_that_the_user_has_removed_is_sent_again(
    server: LiveServer, kernel_id: str
) -> None:
    with server.client(kernel_id) as user:
        user.run(
            "import sys\n"
            "for name in [n for n in sys.modules if n.startswith('_jupyterlab_gpumem')]:\n"
            "    del sys.modules[name]"
        )
        report = freed(server, kernel_id)
        assert "name" in [d["path"] for d in report["dropped"]]


def test_an_unknown_kernel_is_not_found(server: LiveServer) -> None:
    answer = server.free("0000", level="cache")
    assert (answer.status, answer.body["reason"]) == (404, "unknown_kernel")


@pytest.mark.parametrize(
    ("body", "field"), [({"level": "all"}, "level"), ({}, "level"), (b"{", "$")]
)
def test_a_bad_body_is_refused_with_the_field_that_is_wrong(
    server: LiveServer, body: Any, field: str
) -> None:
    answer = server.call("POST", f"{PREFIX}/kernels/0000/free", body=body)
    assert (answer.status, answer.body["reason"]) == (400, "bad_request")
    assert answer.body["field"] == field


@pytest.mark.timeout(120)
def test_a_server_that_sends_no_agent_says_so(tmp_path: Path) -> None:
    with LiveServer(tmp_path, options=("--GpuMem.attach=never",)) as server:
        kernel_id = server.start_kernel()
        assert server.kernel(kernel_id)["agent"]["state"] == "off"
        answer = server.free(kernel_id, level="cache")
        assert (answer.status, answer.body["reason"]) == (409, "no_agent")
        with server.client(kernel_id) as user:
            loaded = user.value("[n for n in __import__('sys').modules if 'gpumem' in n]")
        assert loaded == []
