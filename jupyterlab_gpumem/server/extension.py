"""The server extension: settings, and how the parts are put together."""

from __future__ import annotations

import math
from typing import Any, get_args

from jupyter_server.extension.application import ExtensionApp
from traitlets import Bool, Enum, Float, List, TraitError, Unicode, validate

from ..devices.catalog import PROVIDERS, make_providers
from ..devices.host import HostProvider
from ..devices.sampler import Sampler
from ..simulator.settings import VARIABLE, parse_hardware
from .attributor import Attributor, HostMemory
from .handlers import routes
from .history import HistoryRing
from .holders import holder_routes
from .kernels.agents import KERNEL_ACTIONS, Agents, Attach
from .kernels.operations import Operations
from .reading import reading_routes
from .snapshot import Snapshots

INTERVAL_FLOOR_S = 0.5
HISTORY_CEILING_S = 3600.0


class GpuMem(ExtensionApp):
    """GPU memory in JupyterLab: figures by REST, and cleanups in kernels."""

    name = "jupyterlab_gpumem"

    interval_s = Float(
        2.0,
        help=(
            "How often the devices are read while somebody looks, in seconds;"
            f" at least {INTERVAL_FLOOR_S}."
        ),
    ).tag(config=True)

    history_s = Float(
        900.0,
        help=(
            "How long the figures of devices and kernels are kept for the curves of the panel, in"
            f" seconds; 0 keeps none, {HISTORY_CEILING_S:g} is the most. They are kept only while"
            " somebody looks."
        ),
    ).tag(config=True)

    attach: Enum[Attach] = Enum(
        get_args(Attach),
        default_value="auto",
        help=(
            "When our agent goes into Python kernels: 'auto' at their start, 'watched' only while a"
            " panel looks, 'never' (then only the driver's figures are shown, and nothing can be"
            " freed)."
        ),
    ).tag(config=True)

    providers = List(
        Enum(PROVIDERS),
        default_value=list(PROVIDERS),
        help=f"Sources of device figures, in the order shown; any of {', '.join(PROVIDERS)}.",
    ).tag(config=True)

    show_host_memory: Enum[HostMemory] = Enum(
        get_args(HostMemory),
        default_value="auto",
        help="Show the machine's memory as a device: 'auto' only where there is no GPU.",
    ).tag(config=True)

    isolate_nvml = Bool(
        True,
        help=(
            "Read NVIDIA's library in a process of its own while somebody looks: a crash in it then"
            " costs figures, not the server. False reads it in a thread of the server."
        ),
    ).tag(config=True)

    read_sensors = Bool(
        False,
        help=(
            "Read temperature and power of the GPUs too, each 5 seconds: they cost the driver more"
            " than the memory."
        ),
    ).tag(config=True)

    show_other_processes = Bool(
        True,
        help=(
            "List processes on the GPUs that belong to no kernel of this server, each with its size"
            " and, if it is the user's own, its name. If False only their sum is shown."
        ),
    ).tag(config=True)

    simulate = Unicode(
        help=(
            "Simulated GPUs to show from the start, as COUNTxSIZE, for example '1x24GiB'. Kernels"
            " that load jupyterlab_gpumem.simulator fill them. Default: the environment variable"
            f" {VARIABLE}."
        ),
    ).tag(config=True)

    free_limit_s = Float(
        60.0, help="How long to wait for the answer of a kernel that cleans up, in seconds."
    ).tag(config=True)

    @validate("interval_s")
    def _at_least_floor(self, proposal: dict[str, Any]) -> float:
        value: float = proposal["value"]
        if not INTERVAL_FLOOR_S <= value < math.inf:  # also refuses "nan"
            raise TraitError(
                f"GpuMem.interval_s is {value:g}; reading faster than each {INTERVAL_FLOOR_S} s"
                " slows down the jobs on the GPU"
            )
        return value

    @validate("history_s")
    def _within_reason(self, proposal: dict[str, Any]) -> float:
        value: float = proposal["value"]
        if not 0 <= value <= HISTORY_CEILING_S:
            raise TraitError(
                f"GpuMem.history_s is {value:g}; it must lie between 0 and {HISTORY_CEILING_S:g}"
            )
        return value

    @validate("free_limit_s")
    def _positive(self, proposal: dict[str, Any]) -> float:
        value: float = proposal["value"]
        if not value > 0:
            raise TraitError(f"GpuMem.free_limit_s is {value:g}; give a number of seconds above 0")
        return value

    @validate("simulate")
    def _readable(self, proposal: dict[str, Any]) -> str:
        text: str = proposal["value"]
        if text:
            try:
                parse_hardware(text)
            except ValueError as error:
                raise TraitError(f"GpuMem.simulate: {error}") from None
        return text

    def initialize_handlers(self) -> None:
        """Put the parts together and register the routes."""
        server: Any = self.serverapp  # linked before handlers are made
        providers = make_providers(
            self.providers,
            isolate_nvml=self.isolate_nvml,
            read_sensors=self.read_sensors,
            simulate=self.simulate,
            log=server.log,
        )
        self._sampler = Sampler(providers, interval_s=self.interval_s, log=server.log)
        self._agents = Agents(server.kernel_manager, attach=self.attach, log=server.log)
        operations = Operations(self._agents, free_limit_s=self.free_limit_s)
        self._operations = operations
        history = HistoryRing(span_s=self.history_s, interval_s=self.interval_s)
        attributor = Attributor(
            interval_s=self.interval_s,
            show_host_memory=self.show_host_memory,
            show_other_processes=self.show_other_processes,
        )
        snapshots = Snapshots(
            sampler=self._sampler,
            host=next((p for p in providers if isinstance(p, HostProvider)), None),
            agents=self._agents,
            attributor=attributor,
            operations=operations,
            sessions=server.session_manager,
            history=history,
            interval_s=self.interval_s,
        )
        self.handlers.extend(
            routes(snapshots=snapshots, operations=operations, agents=self._agents)
        )
        self.handlers.extend(reading_routes(history=history, snapshots=snapshots))
        self.handlers.extend(
            holder_routes(agents=self._agents, operations=operations, snapshots=snapshots)
        )
        server.event_logger.add_listener(
            schema_id=KERNEL_ACTIONS, listener=self._agents.on_kernel_action
        )

    async def stop_extension(self) -> None:
        """Let go of kernels and devices when the server stops."""
        server: Any = self.serverapp
        server.event_logger.remove_listener(listener=self._agents.on_kernel_action)
        self._operations.close()
        self._agents.close()
        await self._sampler.stop()
