# Everything a developer does here. Needs python3 (3.11 or newer) with venv, make and git.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Keystone and its dependencies are kept apart from what the other tests need.
KEYSTONE := $(VENV)-keystone
# So is openstack-placement, which would replace the service that is tested.
OPENSTACK := $(VENV)-peer
# nova, whose own tests run with our fixture.
NOVA := $(VENV)-nova
# The oldest versions of what the service needs.
OLDEST := $(VENV)-oldest
PORT ?= 8778

.PHONY: help
help:
	@echo "make serve    a server on http://127.0.0.1:$(PORT) with an SQLite file in var/"
	@echo "make demo     fill that server with a small cloud, and show what to try (repeatable);"
	@echo "              make demo-clean removes it (BASE_URL names another server, for both)"
	@echo "make test     all tests, in parallel, or those whose names match TESTS"
	@echo "make quick    the stories and the unit tests, without slow ones, on SQLite: about half"
	@echo "              a minute on two idle cores"
	@echo "make oldest   the same with the oldest versions of everything that setup.cfg allows"
	@echo "make live     the stories of tests/gabbits against a server (BASE_URL for an existing one),"
	@echo "              and new servers behind nginx, Apache and HAProxy, if these are installed"
	@echo "              (SPELLINGS: in how many spellings each forbidden path is tried)"
	@echo "make cluster  the same service on a Galera cluster and on a PostgreSQL with a replica,"
	@echo "              while nodes die (STORM_SECONDS: how long clients write in each story)"
	@echo "make deployers"
	@echo "              the service with the configuration and commands of Kolla-Ansible,"
	@echo "              OpenStack-Helm, OpenStack-Ansible, nova-operator and DevStack, and behind"
	@echo "              poolers (STORM_SECONDS)"
	@echo "make kill     clients write while the service is killed (KILLS: how often, on each database),"
	@echo "              while its connections are lost, with each driver, and while names get other ids"
	@echo "              (STORM_SECONDS: for how long)"
	@echo "make history  clients contend for the same consumers and providers, and all answers are"
	@echo "              checked, on each database and on a Galera cluster"
	@echo "              (HISTORY_SECONDS: for how long they ask; HISTORY: on_databases, on_galera)"
	@echo "make feed     clients write while a server, and a node of a Galera cluster, are killed again and"
	@echo "              again, and the feed of changes must report each write once (FEED_WRITES: how many;"
	@echo "              FEED: on_databases, on_galera)"
	@echo "make faults   the same while the service, its database and their machines fail in many ways"
	@echo "              (FAULTS_SECONDS: for how long they ask before a fault, and after it; FAULTS:"
	@echo "              the subjects, such as 'service statements', or 'short' for one of each kind)"
	@echo "make abuse    hostile requests and their cost: all of them, or the lines of the table that"
	@echo "              match ABUSE, a regular expression (ABUSE_DATABASE: sqlite, mysql, postgresql)"
	@echo "make peer     switches from openstack-placement to this service and back, with the real"
	@echo "              one, from PyPI (takes STORM_SECONDS); then the same random steps on both, whose"
	@echo "              answers are compared (BESIDE_PEER: the kinds of their databases, --steps, --seed)"
	@echo "make nova     nova's own functional tests of what it does with Placement, with our fixture"
	@echo "              (NOVA_TESTS: how many of them)"
	@echo "make keystone permissions and tokens, with a real keystone"
	@echo "make fuzz     thousands of generated requests, and answers checked against the OpenAPI document"
	@echo "              (VERSIONS: the microversions)"
	@echo "make mutants  plants faults in the service, one at a time, and lists those that no test"
	@echo "              catches (MUTANTS_MINUTES: for how long; MUTANTS: more options)"
	@echo "make client   a client that is generated from the OpenAPI document (takes BASE_URL)"
	@echo "make openstack-command"
	@echo "              the commands of OpenStackClient in client/ (takes BASE_URL)"
	@echo "make page     the page at /operator/, in a browser (needs Debian's chromium)"
	@echo "make screenshots"
	@echo "              screenshots of the page for the documentation (needs Debian's chromium)"
	@echo "make walk     the README and the tutorial, step by step, and the tour of the demo (takes"
	@echo "              BASE_URL)"
	@echo "make page-test the logic of the page at /operator/ (needs node 20.19 or newer)"
	@echo "make bench    times and rates of a large cloud, beside those of a peer (see bench/README.rst)"
	@echo "make bench-ordinary"
	@echo "              the same for clouds of 20 to 1,000 hosts: varied queries, and the"
	@echo "              requests of agents"
	@echo "make bench-placing"
	@echo "              how many instances schedulers place per second, on 10,000 and 200 hosts"
	@echo "make lint     the static checks of the code"
	@echo "make examples the examples of the API reference, from a story of tests/gabbits"
	@echo "make samples  the sample files in etc/placement, from the code"
	@echo "make viewer   the viewer of the API at /docs, from the npm registry (needs npm)"
	@echo "make page-libraries"
	@echo "              the libraries of the page at /operator/, from the npm registry (needs npm)"
	@echo "make docs     the documentation, in build/docs/"
	@echo "make man      the manual pages of the commands in doc/man, from doc/reference"
	@echo "make wheel    the package, in dist/"
	@echo "make openstack-command-wheel"
	@echo "              the package with the commands of OpenStackClient, in client/dist/"
	@echo "make sdist    the source distribution, in dist/"
	@echo "make clean    remove what the above created, except var/"

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "This needs Python 3.11 or newer. Name one: make PYTHON=python3.12 ..."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); exit 1; }

# A file for each extra shows that it was installed after the last change of the requirements.
$(VENV)/installed-%: setup.cfg pyproject.toml | $(BIN)/python
	@echo "Installing what '$*' needs into $(VENV) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e ".[$*]"
	@touch $@

# Every token is trusted (noauth2): this server is for trying things out.
.PHONY: serve
serve: export OS_API__AUTH_STRATEGY := noauth2
serve: export OS_PLACEMENT_DATABASE__CONNECTION := sqlite:///$(CURDIR)/var/placement.db
serve: export OS_PLACEMENT_DATABASE__SYNC_ON_STARTUP := true
serve: export OS_API__DOCS_PAGE := true
serve: export OS_OPERATOR__PAGE := true
serve: export OS_OPERATOR__NAMES := $(CURDIR)/demo/names.json
serve: export OS_METRICS__FLAVORS := $(CURDIR)/demo/flavors.txt
serve: $(VENV)/installed-serve
	@mkdir -p var
	@$(BIN)/python -c "import socket; socket.create_server(('127.0.0.1', $(PORT) or -1))" 2>/dev/null || \
		{ echo "Port $(PORT) cannot be used: another program may use it, or it is not a" \
		"number from 1 to 65535. For another port," \
		"run: export PORT=$(if $(filter 8779,$(PORT)),8780,8779)"; exit 1; }
	@echo "Look: http://127.0.0.1:$(PORT)/operator/  (the token is: admin)"
	@echo "Read: http://127.0.0.1:$(PORT)/docs"
	@echo "Try: curl -H 'X-Auth-Token: admin' -H 'OpenStack-API-Version: placement latest'" \
		"http://127.0.0.1:$(PORT)/resource_providers"
	@exec $(BIN)/gunicorn --config etc/placement/gunicorn.conf.py --bind 127.0.0.1:$(PORT) \
		--workers 1 placement.wsgi.api:application

# Fill the running server with a small cloud; this may be repeated. BASE_URL may name another
# server.
.PHONY: demo
demo: export BASE_URL ?= http://127.0.0.1:$(PORT)
demo:
	@$(PYTHON) -m demo load
	@$(MAKE) --no-print-directory demo-month

# For the server of `make serve`, also how full the cloud was in the last month and what happened in
# it: no request can store a past, so it is written into the database file.
.PHONY: demo-month
demo-month: FILE := $(CURDIR)/var/placement.db
demo-month: export OS_PLACEMENT_DATABASE__CONNECTION := sqlite:///$(FILE)
demo-month:
	@if [ "$${BASE_URL%/}" = http://127.0.0.1:$(PORT) ] && [ -e $(FILE) ]; then \
		$(PYTHON) -m demo samples | $(BIN)/placement-manage capacity --import - --replace >/dev/null && \
		$(PYTHON) -m demo past $(FILE) && \
		echo "The last month of the cloud: see the page, or run:" && \
		echo "    OS_PLACEMENT_DATABASE__CONNECTION=sqlite:///var/placement.db \\" && \
		echo "        $(BIN)/placement-manage capacity --since 30d" && \
		echo "What happened to host b2 last night? See its history on the page."; \
	else \
		echo "For the last month of the cloud, on the machine of the server, run with its" \
			"configuration: $(PYTHON) -m demo samples |" \
			"$(BIN)/placement-manage capacity --import - --replace"; \
		echo "What happened to host b2? See its history on the page."; \
	fi

.PHONY: demo-clean
demo-clean: export BASE_URL ?= http://127.0.0.1:$(PORT)
demo-clean:
	@$(PYTHON) -m demo clean

# TESTS is a regular expression: make test TESTS='unit\.(db|objects)'
.PHONY: test
test: $(VENV)/installed-test
	@$(BIN)/python -m tests.run $(if $(TESTS),'$(TESTS)')

# For running many times a day.
.PHONY: quick
quick: $(VENV)/installed-test
	@$(BIN)/python -m tests.run --quick

$(OLDEST)/installed: setup.cfg pyproject.toml
	@$(PYTHON) -m venv $(OLDEST)
	@echo "Installing the oldest versions into $(OLDEST) ..."
	@$(PYTHON) tests/repository/oldest.py >$(OLDEST)/constraints.txt
	@$(OLDEST)/bin/python -m pip install -q --disable-pip-version-check \
		-c $(OLDEST)/constraints.txt -e ".[mysql,postgresql,test]"
	@touch $@

# eventlet, which an old oslo.utils imports, warns that it is not for new projects.
.PHONY: oldest
oldest: $(OLDEST)/installed
	@PYTHONWARNINGS=ignore::Warning:oslo_utils.importutils $(OLDEST)/bin/python -m tests.run \
		$(if $(TESTS),'$(TESTS)',--quick)

.PHONY: live
live: $(VENV)/installed-test
	@$(BIN)/python -m tests.live
	@$(BIN)/python -m tests.side_by_side tests.deployed.web_servers.behind_web_server \
		tests.deployed.web_servers.refusals tests.deployed.metrics

.PHONY: cluster
cluster: export STORM_SECONDS ?= 60
cluster: $(VENV)/installed-test
	@$(BIN)/python -m tests.side_by_side tests.deployed.cluster tests.deployed.replica

.PHONY: deployers
deployers: export PEER_BIN := $(CURDIR)/$(OPENSTACK)/bin
deployers: $(VENV)/installed-test $(VENV)/installed-uwsgi $(VENV)/installed-memcached \
		$(OPENSTACK)/installed
	@$(BIN)/python -m tests.side_by_side tests.deployed.deployers.kolla_ansible.Upgrade \
		tests.deployed.deployers.kolla_ansible.Serving \
		tests.deployed.deployers.kolla_ansible.BinaryLog \
		tests.deployed.deployers.kolla_ansible.Configuration \
		tests.deployed.deployers.openstack_helm tests.deployed.deployers.openstack_ansible \
		tests.deployed.deployers.nova_operator tests.deployed.deployers.devstack \
		tests.deployed.deployers.poolers

# Without a database server, there are no tests on it. This test says that it is missing.
REACHABLE := tests.functional.outages.test_reachable

.PHONY: kill
kill: export KILLS ?= 30
kill: export STORM_SECONDS ?= 60
kill: $(VENV)/installed-test
	@$(BIN)/python -m tests.side_by_side tests.deployed.kill tests.deployed.stale_names $(REACHABLE)

.PHONY: history
history: export HISTORY_SECONDS ?= 60
history: HISTORY ?= on_databases on_galera
history: $(VENV)/installed-test
	@$(BIN)/python -m tests.side_by_side $(HISTORY:%=tests.deployed.history.%) $(REACHABLE)

.PHONY: feed
feed: export FEED_WRITES ?= 20000
feed: export PEER_BIN ?= $(CURDIR)/$(OPENSTACK)/bin
feed: FEED ?= on_databases on_galera
feed: $(VENV)/installed-test $(OPENSTACK)/installed
	@$(BIN)/python -m tests.side_by_side $(FEED:%=tests.deployed.feed.%) $(REACHABLE)

.PHONY: faults
faults: export FAULTS_SECONDS ?= 20
faults: $(VENV)/installed-test
	@$(BIN)/python -m tests.deployed.faults $(FAULTS)

.PHONY: abuse
abuse: $(VENV)/installed-test
	@$(BIN)/python -m tests.deployed.abuse $(if $(ABUSE),'$(ABUSE)')

$(OPENSTACK)/installed:
	@$(PYTHON) -m venv $(OPENSTACK)
	@echo "Installing openstack-placement into $(OPENSTACK) ..."
	@$(OPENSTACK)/bin/python -m pip install -q --disable-pip-version-check \
		openstack-placement==16.0.0 gunicorn pymysql psycopg2-binary
	@touch $@

# BESIDE_PEER holds options: kinds of databases, --steps 1000, --seed 1.
.PHONY: peer
peer: export PEER_BIN := $(CURDIR)/$(OPENSTACK)/bin
peer: $(VENV)/installed-test $(VENV)/installed-openstack-command $(OPENSTACK)/installed
	@$(BIN)/python -m tests.side_by_side tests.deployed.switching.OnMariaDB \
		tests.deployed.switching.OnPostgreSQL tests.openstack_command.of_peer
	@$(BIN)/python -m tests.deployed.beside_peer $(BESIDE_PEER)

$(KEYSTONE)/installed: setup.cfg pyproject.toml
	@$(PYTHON) -m venv $(KEYSTONE)
	@echo "Installing keystone into $(KEYSTONE) ..."
	@$(KEYSTONE)/bin/python -m pip install -q --disable-pip-version-check -e ".[keystone]"
	@touch $@

.PHONY: keystone
keystone: $(KEYSTONE)/installed
	@$(KEYSTONE)/bin/python -m unittest -v tests.deployed.with_keystone

# nova's tests look for the files of etc/nova beside the package.
$(NOVA)/installed: setup.cfg pyproject.toml tests/nova/requirements.txt
	@$(PYTHON) -m venv $(NOVA)
	@echo "Installing nova into $(NOVA) ..."
	@$(NOVA)/bin/python -m pip install -q --disable-pip-version-check \
		-r tests/nova/requirements.txt -e ".[fixtures]"
	@ln -sfn "$(CURDIR)/$(NOVA)/etc" \
		"$$($(NOVA)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/etc"
	@touch $@

.PHONY: nova
nova: export NOVA_BIN := $(CURDIR)/$(NOVA)/bin
nova: $(NOVA)/installed
	@$(PYTHON) -m tests.nova $(NOVA_TESTS)

# FUZZ holds options of schemathesis, such as --seed 1.
.PHONY: fuzz
fuzz: $(VENV)/installed-fuzz
	@$(BIN)/python -m tests.fuzz $(FUZZ)

# MUTANTS holds more options, such as --files candidates/ --seed 1.
MUTANTS_MINUTES ?= 20
.PHONY: mutants
mutants: $(VENV)/installed-test $(VENV)/installed-mutants
	@$(BIN)/python -m unittest -q tests.mutants.check_operators
	@nice $(BIN)/python -m tests.mutants --minutes $(MUTANTS_MINUTES) $(MUTANTS)

.PHONY: client
client: $(VENV)/installed-client
	@$(BIN)/python -m unittest -v tests.deployed.generated_client

# The commands of OpenStackClient are a distribution of their own.
$(VENV)/installed-openstack-command: client/setup.cfg client/pyproject.toml | $(VENV)/installed-test
	@echo "Installing the commands of OpenStackClient into $(VENV) ..."
	@$(BIN)/python -m pip install -q --disable-pip-version-check -e client
	@touch $@

.PHONY: openstack-command
openstack-command: $(VENV)/installed-test $(VENV)/installed-openstack-command
	@$(BIN)/python -m tests.side_by_side tests.openstack_command.queries \
		tests.openstack_command.answers tests.openstack_command.other_services \
		tests.openstack_command.live

# CHROMIUM names a browser that is installed elsewhere.
.PHONY: page
page: page-test $(VENV)/installed-page
	@$(BIN)/python -m unittest -v tests.deployed.page tests.deployed.proofs.page

.PHONY: screenshots
screenshots: $(VENV)/installed-page
	@$(BIN)/python -m tests.documentation.screenshots

.PHONY: walk
walk: $(VENV)/installed-test $(VENV)/installed-openstack-command
	@$(BIN)/python -m tests.documentation.walkthrough
	@$(BIN)/python -m unittest -v tests.deployed.demo

# No package.json says that the files are modules: since 20.19, node recognizes that by itself.
.PHONY: page-test
page-test:
	@if node -e 'process.exit(process.features.require_module ? 0 : 1)' 2>/dev/null; \
		then node --test tests/page/; \
		else echo "Skipped: there is no node, or it is older than 20.19 or 22.10."; fi

# BENCH holds more options; PEER, from the environment too, is the command that serves the peer.
.PHONY: bench
bench: export PEER := $(PEER)
bench: $(VENV)/installed-test
	@$(BIN)/python -m bench $(BENCH)

# The same for ordinary clouds, of 20 to 1,000 hosts, and for their agents and devices.
.PHONY: bench-ordinary
bench-ordinary: export PEER := $(PEER)
bench-ordinary: $(VENV)/installed-test
	@$(BIN)/python -m bench.ordinary $(BENCH)

# Only the schedulers of `make bench`, in clouds of two sizes.
.PHONY: bench-placing
bench-placing: export PEER := $(PEER)
bench-placing: $(VENV)/installed-test
	@$(BIN)/python -m bench.placing $(BENCH)

.PHONY: lint
lint: $(VENV)/installed-lint
	@$(BIN)/ruff check

.PHONY: samples
samples: $(VENV)/installed-serve
	@$(BIN)/oslo-config-generator --config-file etc/placement/config-generator.conf
	@$(BIN)/oslopolicy-sample-generator --config-file etc/placement/policy-generator.conf

# The files that browsers load are in the repository as they are in the npm registry. A package is
# only unpacked if it has the hash that `npm view NAME@VERSION dist.integrity` showed when it was
# reviewed. Afterwards, $(FOREIGN) has the hashes of the files.
FOREIGN := tests/repository/foreign-files.sha256
UNPACK = unpack() { \
	archive=$$(npm pack --silent "$$1") && \
	found=sha512-$$(openssl dgst -sha512 -binary "$$archive" | openssl base64 -A) && \
	if [ "$$found" != "$$2" ]; then echo "$$1 has the hash $$found, not $$2" >&2; return 1; fi && \
	rm -rf package && tar xzf "$$archive"; }
.PHONY: foreign-files
foreign-files:
	@sha256sum $$(git ls-files placement/web/viewer/rapidoc* \
		placement/web/page/lib '*/viewer/LICENSE.txt') > $(FOREIGN)

# The page at /docs.
.PHONY: viewer
viewer: FILES := $(CURDIR)/placement/web/viewer/
viewer:
	@$(UNPACK); directory=$$(mktemp -d) && trap "rm -r $$directory" EXIT && cd $$directory \
		&& unpack rapidoc@9.3.8 sha512-eCYEbr1Xr8OJZvVCw8SXl9zBCRoLJbhNGuG5IZTHq/RWAOq/O4MafUCuFEyZHsrhLrlUcGZMa64pyhpib8fQKQ== \
		&& cd package && cp LICENSE.txt dist/rapidoc-min.js dist/rapidoc-min.js.LICENSE.txt $(FILES)
	@$(MAKE) --no-print-directory foreign-files

# The libraries of the page at /operator/, without what only node understands.
.PHONY: page-libraries
page-libraries: LIB := $(CURDIR)/placement/web/page/lib
page-libraries:
	@$(UNPACK); directory=$$(mktemp -d) && trap "rm -r $$directory" EXIT && cd $$directory \
		&& unpack htm@3.1.1 sha512-983Vyg8NwUE7JkZ6NmOqpCZ+sh1bKv2iYTlUkzlWmA5JD2acKoxd4KVxbMmxX/85mtfdnDmTFoNKcg5DGAvxNQ== \
		&& cp package/preact/standalone.module.js $(LIB)/preact-htm.js \
		&& cp package/LICENSE $(LIB)/htm-LICENSE \
		&& unpack preact@10.27.2 sha512-5SYSgFKSyhCbk6SrXyMpqjb5+MQBgfvEKE/OC+PujcY34sOpqtr+0AZQtPYx5IA6VxynQ7rUPCtKzyovpj9Bpg== \
		&& cp package/LICENSE $(LIB)/preact-LICENSE \
		&& unpack @tanstack/virtual-core@3.19.11 sha512-/5iHb0RHBvj8Di59FDs4ESNm45jls33aZAi4zccVXZjc/6ZvwQP6nzEYeT6weXjTf9E6/vrp2JhYWRyO+ZP13A== \
		&& sed -i '/^\/\/# sourceMappingURL/d; s/process\.env\.NODE_ENV/"production"/' \
			package/dist/esm/*.js \
		&& cp package/LICENSE package/dist/esm/*.js $(LIB)/virtual-core/
	@$(MAKE) --no-print-directory foreign-files

.PHONY: examples
examples: $(VENV)/installed-test
	@$(BIN)/python -m tests.documentation.recorded_examples

# Build all pages each time: Sphinx does not notice when code changes from which pages are made.
.PHONY: docs
docs: $(VENV)/installed-docs
	@$(BIN)/python -m sphinx -q -E -W --keep-going doc build/docs
	@echo "See build/docs/index.html"

# The pages have no date: it would be the day of the build.
.PHONY: man
man: $(VENV)/installed-docs
	@$(BIN)/python -m sphinx -q -W -b man -D today=' ' doc build/man
	@cp build/man/*.1 doc/man/

# The archives have the date of the commit, or the date that a packager sets.
wheel sdist openstack-command-wheel: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null)

.PHONY: wheel
wheel: $(BIN)/python
	@rm -rf build/lib build/bdist.* dist/*.whl
	@$(BIN)/python -m pip wheel -q --disable-pip-version-check --no-deps -w dist .

.PHONY: openstack-command-wheel
openstack-command-wheel: $(BIN)/python
	@rm -rf client/build client/dist
	@$(BIN)/python -m pip wheel -q --disable-pip-version-check --no-deps -w client/dist ./client

# reno takes the release notes from the history of git, so the source distribution includes its
# output, for people and for `make docs` there. A checkout does not: the output would become
# outdated.
.PHONY: sdist
sdist: CACHE := releasenotes/notes/reno.cache
sdist: $(VENV)/installed-package
	@trap 'rm -f CHANGELOG.rst $(CACHE)' EXIT; \
	$(BIN)/reno -q cache && \
	$(BIN)/python -m doc.extensions.changelog > CHANGELOG.rst && \
	$(BIN)/python -m build --quiet --sdist --outdir dist .

.PHONY: clean
clean:
	@rm -rf $(VENV) $(KEYSTONE) $(OPENSTACK) $(NOVA) $(OLDEST) *.egg-info build cover dist \
		.coverage .coverage.* .hypothesis .ruff_cache .schemathesis .stestr \
		client/build client/dist client/*.egg-info
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
