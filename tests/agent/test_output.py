"""Output of a cell stays with the cell, whatever we send meanwhile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jupyterlab_gpumem.wire import COMM_TARGET as TARGET

from .cuda_stand_in import STAND_IN

if TYPE_CHECKING:
    from tests.kernels import Kernel

# Shows what is drawn at the end of each request, as matplotlib's inline backend does.
INLINE = """
import threading, time
from IPython.display import display
drawn = []
def flush():
    for figure in drawn: display({'text/plain': ' and '.join(figure)}, raw=True)
    drawn.clear()
get_ipython().events.register('post_execute', flush)
"""
CELL = """
def speak(name):
    for number in range(15):
        print(f'{name} {number}\\n', end='')
        stats['reserved_bytes.all.current'] += 1
        time.sleep(0.15)
threads = [threading.Thread(target=speak, args=(name,)) for name in 'ab']
for thread in threads: thread.start()
drawn.append(['first step'])
time.sleep(1.5)
drawn[0].append('second step')
for thread in threads: thread.join()
"""


def test_threads_that_print_and_a_figure_drawn_in_two_steps_stay_under_their_cell(
    kernel: Kernel,
) -> None:
    kernel.run(STAND_IN)
    kernel.run(INLINE)
    try:
        request = kernel.begin(CELL)
        # Asked in the middle of it, as when a page did not know that the cell runs.
        beside = kernel.client.session.msg("comm_open", {"comm_id": "x", "target_name": TARGET})
        kernel.client.shell_channel.send(beside)
        run = kernel.wait(request)
    finally:
        kernel.run("get_ipython().events.unregister('post_execute', flush)")
    assert sorted(run.printed.split("\n")) == sorted(
        ["", *(f"{name} {number}" for name in "ab" for number in range(15))]
    )
    (figure,) = run.of_type("display_data")
    assert figure["data"]["text/plain"] == "first step and second step"
    assert len([push for push in run.pushes if push["running"]]) >= 1
    states = [content["execution_state"] for content in run.of_type("status")]
    assert states == ["busy", "idle"]
