# `make demo` shows the product, `make test` proves it, `make help` lists the rest.
SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
# Stages stop at the first failure and print in order, whatever -j says.
.NOTPARALLEL:

PYTHON ?= python3
VENV := .venv
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
export PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

STAGE := scripts/stage
FRONTEND := $(shell find src style schema -type f 2>/dev/null)
PYTHON_LINTED := jupyterlab_gpumem tests ui-tests scripts bench

.PHONY: help demo test setup tools build lint test-py test-js test-ui test-gpu wheel screenshots clean

help:
	@grep -hE '^##' $(MAKEFILE_LIST) | sed 's/^## /make /'

# --- What gets installed. A stamp lies inside the folder that it speaks for, so deleting the folder is enough.

$(VENV)/.made: scripts/python-environment scripts/require-node
	@$(STAGE) "Node.js" scripts/require-node
	@$(STAGE) "Python environment" scripts/python-environment "$(PYTHON)" $(VENV)
	@touch $@

# jlpm, the yarn that JupyterLab's tools bring, comes with jupyter-builder.
$(VENV)/.builder: $(VENV)/.made
	@$(STAGE) "Front-end builder" python -m pip install --quiet "jupyter-builder>=1.0"
	@touch $@

node_modules/.installed: package.json yarn.lock .yarnrc.yml | $(VENV)/.builder
	@$(STAGE) "Node packages" jlpm install --immutable
	@touch $@

$(VENV)/.frontend: $(FRONTEND) tsconfig.json node_modules/.installed
	@$(STAGE) "Front end" jlpm build
	@touch $@

# The front end is built before, so that the editable install finds it and does not build again.
$(VENV)/.demo: pyproject.toml tests/constraints.txt $(VENV)/.frontend
	@$(STAGE) "Python packages for the demo" scripts/install-editable $(VENV) demo
	@touch $@

$(VENV)/.test: pyproject.toml tests/constraints.txt $(VENV)/.frontend
	@$(STAGE) "Python packages for the tests" scripts/install-editable $(VENV) demo,test
	@touch $@ $(VENV)/.demo

ui-tests/node_modules/.installed: ui-tests/package.json ui-tests/yarn.lock ui-tests/.yarnrc.yml | $(VENV)/.builder
	@cd ui-tests && ../$(STAGE) "Node packages for the browser tests" jlpm install --immutable
	@touch $@

## demo         start JupyterLab on the demo notebook, with a real GPU or a simulated one
demo: $(VENV)/.demo
	@exec python scripts/demo.py $(ARGS)

## test         run every check, installing what they need
test: setup lint test-py test-js wheel test-ui
	@printf '\nmake test: every stage passed\n'

## setup        install what the checks need
setup: tools $(VENV)/.test ui-tests/node_modules/.installed
	@$(STAGE) "Second kernel environment" python -m tests.environments

tools:
	@$(STAGE) "C compiler" scripts/require-compiler
	@$(STAGE) "Browser" scripts/require-chromium

## build        build the front end
build: $(VENV)/.frontend

## lint         check style, types and the wire contract
lint: $(VENV)/.test ui-tests/node_modules/.installed
	@$(STAGE) "Lint: ruff" ruff check $(PYTHON_LINTED)
	@$(STAGE) "Format: ruff" ruff format --check $(PYTHON_LINTED)
	@$(STAGE) "Types: mypy" mypy jupyterlab_gpumem tests scripts bench
	@$(STAGE) "Wire contract" jlpm contract:check
	@$(STAGE) "Lint: eslint" jlpm eslint
	@$(STAGE) "Format: prettier" jlpm prettier
	@$(STAGE) "Lint: stylelint" jlpm stylelint
	@$(STAGE) "Types: tsc" jlpm tsc --noEmit
	@$(STAGE) "Types: tsc, unit tests" jlpm types:test
	@cd ui-tests && ../$(STAGE) "Types: tsc, browser tests" jlpm tsc --noEmit
	@$(STAGE) "Lock files name no host" scripts/check-locks

## test-py      run the Python tests
test-py: $(VENV)/.test
	@$(STAGE) "Tests: pytest" python -m pytest -n 3 --dist loadfile --ignore=tests/test_packaging.py

## test-js      run the TypeScript unit tests
test-js: $(VENV)/.test
	@$(STAGE) "Tests: jest" jlpm test

## test-gpu     check on a real GPU what no stand-in can show; status 77 where there is none
# Not ours to install: needs PyTorch with CUDA, psutil and nvidia-ml-py in the environment of PYTHON.
test-gpu:
	@$(PYTHON) scripts/gpu-checks

## wheel        build sdist and wheel from a clean clone of HEAD and try them without Node.js
wheel: $(VENV)/.test
	@$(STAGE) "Tests: wheel" python -m pytest tests/test_packaging.py

## test-ui      run the browser tests
test-ui: $(VENV)/.test ui-tests/node_modules/.installed
	@$(STAGE) "Tests: browser" scripts/browser-tests $(ARGS)

## screenshots  run the browser tests and take the picture of the README from them
screenshots: test-ui
	@cp -v ui-tests/.scratch/screenshots/panel.png docs/images/

## clean        remove everything that was installed or built here
clean:
	rm -rf $(VENV) node_modules ui-tests/node_modules ui-tests/test-results ui-tests/.scratch lib dist
	rm -rf jupyterlab_gpumem/labextension jupyterlab_gpumem/_version.py tsconfig.tsbuildinfo
