# The first target is help, so a bare `make` changes nothing.
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z.][a-z0-9.-]*:.*## / { printf "%-17s %s\n", $$1, $$2 }' Makefile

ai-kb-init: ## Set this machine up: programs, .venv, the command, the store, the agent's rule
	@scripts/install-system-packages.sh
	@scripts/make-venv.sh
	@scripts/install-launcher.sh
	@scripts/setup-ai-kb.sh
	@$(MAKE) --no-print-directory install

install: ## Link the agent's rule into ~/.claude/rules
	@scripts/install-rule.sh

install-plugin: ## Link the memory plugin (hooks and skills) into ~/.claude/skills
	@scripts/install-plugin.sh

install-skills: ## Link the skills by their own names: /memory-find and its like
	@scripts/install-skills.sh

uninstall-plugin: ## Take back the plugin's link
	@scripts/uninstall-plugin.sh plugin

uninstall-skills: ## Take back the skills' links
	@scripts/uninstall-plugin.sh skills

uninstall: ## Take back the links in the home directory; the store stays
	@scripts/uninstall.sh

# A checkout that was moved or copied must not run the code of the old one.
ifneq ($(shell cat .venv/made-for 2>/dev/null),$(CURDIR))
.PHONY: .venv
endif
.venv: pyproject.toml requirements.lock scripts/make-venv.sh ## Make the Python environment
	@scripts/make-venv.sh

lint: dev-packages .venv ## Check Python, shell and Elisp without running them
	@scripts/run-all.sh lint-python lint-shell $(if $(elisp),lint-elisp)

test: dev-packages .venv ## Run all tests, installing what they need
	@scripts/run-all.sh test-python $(if $(elisp),test-elisp) test-bats

test-python: .venv ## Run the Python tests
	@scripts/test-python.sh

test-elisp: .venv ## Run the Elisp tests
	@scripts/test-elisp.sh

test-bats: .venv ## Run the tests of set-up
	@scripts/test-bats.sh

test-faults: dev-packages .venv ## Prove at full size that nothing is lost (half an hour)
	@scripts/test-faults.sh

test-terminal: .venv ## Type keys into a real Emacs in tmux, and look at the screen
	@tests/terminal/switch.sh
	@tests/terminal/mode.sh

test-agent: .venv ## Run the hooks by the real agent program from npm, without login
	@tests/agent/run.sh

test-emacs30: ## Run lint and tests on Debian 13 with Emacs 30 (root; builds it once)
	@scripts/test-emacs30.sh

bench: .venv ## Measure speed against bare tools
	@.venv/bin/python benchmarks/run.py

clean: ## Remove what was generated in this checkout
	rm -rf .venv build .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find python tests elisp benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true
	find elisp tests -name '*.elc' -delete 2>/dev/null || true

dev-packages:
	@scripts/install-system-packages.sh --dev

elisp := $(wildcard elisp/*.el tests/elisp/*.el)

# The order of prerequisites matters: programs first.
.NOTPARALLEL:
.PHONY: help ai-kb-init install install-plugin install-skills uninstall uninstall-plugin \
	uninstall-skills lint test test-python test-elisp test-bats test-faults test-terminal test-agent \
	test-emacs30 bench clean dev-packages
