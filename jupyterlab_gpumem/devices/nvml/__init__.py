"""NVIDIA's management library as a provider. Importing this touches neither it nor its binding."""

from .provider import NvmlProvider

__all__ = ["NvmlProvider"]
