"""AMD and Intel GPUs, read from what the kernel's DRM drivers write into sysfs and ``/proc``."""

from .provider import DrmProvider

__all__ = ["DrmProvider"]
