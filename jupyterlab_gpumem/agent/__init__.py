"""The part that runs in the user's kernel: figures, and giving memory back.

The server sends its source into kernels of any environment, so it stays within Python 3.8 and the
standard library, imports nothing of ours but ``wire``, and never imports what the user has not
imported.
"""

from __future__ import annotations

from .entry import attach, free, hello, holders

__all__ = ["attach", "free", "hello", "holders"]
