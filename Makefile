# Needs python3 (3.11 or later), pip and make.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable

# Hundreds of processes load the same modules: they are compiled once, whatever the shell says.
export PYTHONDONTWRITEBYTECODE :=

VIEW := $(BIN)/python -m pip install --quiet --editable '.[web]' && $(BIN)/python -m apps.viewer

.PHONY: help demo test test-fast soak lint docs pictures site clean

help:
	@echo "make demo       run the alpha mission to its end and draw its track (demo/track.png)"
	@echo "make test       run all tests"
	@echo "make test-fast  run those that take under a minute together"
	@echo "make soak       attack runs and readers at length (a night; it may be broken off)"
	@echo "make lint       check style and types"
	@echo "make pictures   take the pictures of docs/ (pages need chromium and chromedriver)"
	@echo "make docs       write the tables of VARIABLES.md, which apps and behaviors declare"
	@echo "make site       build the documentation as a site (build/site/index.html)"
	@echo "make clean      remove what these leave"

demo: $(VENV)/with-plot
	rm -rf demo
	$(BIN)/python launch.py missions/alpha --warp max --until "MISSION = complete" \
	    --port auto --log demo --json demo/summary.json
	$(BIN)/python -m apps.alog plot demo/*/*.alog --output demo/track.png
	@echo "To see it in a browser: $(VIEW) demo"

# What watches wall time runs by itself. The rest shares workers, one more than in the fast suite:
# who starts processes mostly waits for them.
test: test-fast
	$(BIN)/python -m pytest -m "slow or (process and not wall)" -n 3 --dist worksteal
	$(BIN)/python -m pytest -m "process and wall"

test-fast: $(VENV)/with-dev
	$(BIN)/python -m pytest -m "not process and not slow" -n 2 --dist worksteal

# Attacks at length, a night for all of them; goes on where it was. SOAK="--share 0.01" is a minute.
soak: $(VENV)/with-dev
	$(BIN)/python tests/attack/soak.py $(SOAK)

lint: $(VENV)/with-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	@mkdir -p .mypy_cache
	@$(BIN)/mypy > .mypy_cache/said; status=$$?; cat .mypy_cache/said; exit $$status
	@grep -Eq 'in ([6-9]|[0-9]{2,})[0-9]{2} source files' .mypy_cache/said || \
	    { echo "lint: expected at least 600 files to be type-checked"; false; }

pictures: $(VENV)/with-dev
	$(BIN)/python -m docs.make_pictures
	$(BIN)/python docs/draw_motion.py
	$(BIN)/python docs/draw_peers.py
	$(BIN)/python docs/validate.py --draw

docs: $(VENV)/with-dev
	$(BIN)/python -m docs.write_tables

site: $(VENV)/with-dev
	$(BIN)/python -m docs.build_site

clean:
	rm -rf $(VENV) demo logs build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -prune -exec rm -rf {} +

$(VENV)/with-plot: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) ".[plot]"
	touch $@

$(VENV)/with-dev: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) ".[allocation,control,dev,fmi,foxglove,mavlink,mcap,nmea,plot,learn,rays,rerun,ros2,sweep,waves,web]"
	touch $@
