"""``python -m jupyterlab_gpumem.cli``: the same as ``jupyter gpumem``."""

from .main import main

raise SystemExit(main())
