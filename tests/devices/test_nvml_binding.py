"""The binding: strangers of the same name, and when it is imported at all."""

from __future__ import annotations

import subprocess
import sys
import warnings
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from jupyterlab_gpumem.devices.nvml import NvmlProvider

from .reading import NOWHERE, refusal

if TYPE_CHECKING:
    from pathlib import Path


def stranger(**attributes: object) -> ModuleType:
    module = ModuleType("pynvml")
    module.__dict__.update({"__file__": "/env/pynvml.py", **attributes})
    return module


def test_a_module_that_shadows_the_binding_is_named_by_its_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pynvml", stranger(NVMLError=Exception, nvmlInit=print))
    refused = refusal(NvmlProvider(root=NOWHERE))
    assert (refused.state, refused.hint) == ("old_binding", "old_binding")
    assert "/env/pynvml.py" in refused.detail


@pytest.mark.parametrize(
    ("source", "hint"),
    [("raise ImportError('no such thing')", "install_binding"), ("1 / 0", "old_binding")],
)
def test_a_binding_that_cannot_be_imported_is_a_state_not_a_crash(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: str, hint: str
) -> None:
    (tmp_path / "pynvml.py").write_text(source)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "pynvml")
    refused = refusal(NvmlProvider(root=NOWHERE))
    assert (refused.state, refused.hint) == ("old_binding", hint)


def test_only_the_warning_of_the_outdated_distribution_is_silenced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warn = "import warnings; warnings.warn('The pynvml package is deprecated.', FutureWarning)"
    (tmp_path / "pynvml.py").write_text(warn)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "pynvml")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # Were the warning an error, the detail would be about the warning.
        assert "lacks" in refusal(NvmlProvider(root=NOWHERE)).detail
        with pytest.raises(FutureWarning):
            warnings.warn("Something else is deprecated.", FutureWarning, stacklevel=1)


def test_importing_the_provider_imports_no_binding() -> None:
    code = "import sys, jupyterlab_gpumem.devices.nvml; sys.exit('pynvml' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
