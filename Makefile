# Front door of Parley. `make help` lists the targets; the work is done by tools/ and CMake.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help setup build run test check check-all bench cluster cluster-down clean
MAKEFLAGS += --no-print-directory

STAGE := tools/stage.sh

help: ## Print this list
	@echo "Parley: a Kubernetes control plane you can see through."
	@echo
	@sed -nE 's/^([a-z-]+):.*## (.*)/  make \1\t\2/p' Makefile | expand -t 20
	@echo
	@echo "  make run ARGS='...' passes arguments to the demo; 'build/parley --help' lists the commands."

setup: ## Install with apt what running, testing, checking and benchmarking need (Debian 12)
	@tools/setup.sh check

build: ## Build the program (build/parley) and its tests
	@tools/setup.sh run
	@$(STAGE) build - tools/build.sh dev

# Where something was built before, that is gone on with; from nothing, the preset `run` is faster.
run: ## Install what the demo needs, build it and start it on the simulated cluster
	@tools/setup.sh run
	@if [ -f build/dev/.ninja_log ]; then $(STAGE) build - tools/build.sh dev parley; else \
	    $(STAGE) build - tools/build.sh run parley && ln -f build/run/parley build/parley; fi
	@build/parley demo $(ARGS)

test: ## Install what the tests need, build and run every test
	@tools/setup.sh test
	@$(STAGE) build - tools/build.sh dev
	@$(STAGE) test - tools/ctest.sh dev
	@tools/web_tests.sh
	@tools/cluster_tests.sh

check: ## The gate besides the tests: format, tidy, clang-tidy, sanitizers, second compiler
	@tools/setup.sh check
	@tools/check.sh

check-all: ## What must hold before an issue is called resolved: all sanitizers, hardening, fuzzing, mutation
	@tools/setup.sh check
	@tools/check_all.sh

bench: ## Measure, and print a table with the ratio to each peer
	@tools/setup.sh bench
	@$(STAGE) build - tools/build.sh release
	@$(STAGE) bench - python3 bench/table.py build/release $(ARGS)

cluster: ## Start a real Kubernetes on this machine: PROFILE=api, scale or real, NAME=...
	@tools/setup.sh cluster
	@testbed/testbed up --profile $(or $(PROFILE),real) --name $(or $(NAME),testbed) $(ARGS)

cluster-down: ## Take it down again: NAME=...
	@testbed/testbed down --name $(or $(NAME),testbed)

clean: ## Remove everything that was built
	@rm -rf build
