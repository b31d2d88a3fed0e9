"""NVML in a process of its own, which a fault in the driver's library can take down alone."""

from .provider import IsolatedProvider

__all__ = ["IsolatedProvider"]
