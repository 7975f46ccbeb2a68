# Every module of the repository; a new one is added here.
MODULES := . loadgen loadgen/example frameworks/suite frameworks/suite/example frameworks/dubbo frameworks/motan \
	codecs/suite codecs/adapters cmd cmd/benchreport/browser cmd/tools

repo := github.com/rpcbench/rpcbench
TOOL := go tool -modfile=$(CURDIR)/cmd/tools/go.mod
export GOWORK := off

help: ## list the targets
	@awk -F ':.*## ' '/^## /{print "\n" substr($$0, 4) ":"}; \
		/^[a-z-]+:.*## /{printf "  %-16s %s\n", $$1, $$2}' Makefile

.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' Makefile)

# Go knows what of these is current, and each target builds those that it needs.
# make lint vets them. Databases, a quarter of what is compiled, are left out of
# bench.test unless BENCH is given.
bin/rpcbench.test: FORCE
	go test -vet=off -c -o $@ .
bin/bench.test: FORCE
	go test -vet=off $(if $(filter-out $(echoes),$(BENCH)),,-tags=nodb) -c -o $@ .
bin/codecs.test: FORCE
	go test -C codecs/adapters -vet=off -c -o ../../$@ .
bin/%.test: FORCE
	go test -C frameworks/$* -vet=off -c -o ../../$@ .
bin/%: FORCE
	go build -C cmd -o ../bin/ ./$*
FORCE:

# The settings of a target are next to it, and the command line has others: what
# is measured (BENCH), for how long (BENCHTIME), how often (ROUNDS), with which
# flags (FLAGS), and the file that the lines go to (OUT).
OUT    ?= bench.txt
rounds = bin/benchrounds -n $(ROUNDS) $(1) -- -test.run='^$$' -test.benchtime=$(BENCHTIME)

## measure
echoes := ^Benchmark(Echo|Message)$$
bench bench-all bench-diff bench-versions peers: BENCHTIME ?= 0.5s
bench bench-all: BENCH  ?= $(echoes)
bench bench-all: ROUNDS ?= 6
bench bench-all bench-diff bench-versions: FLAGS ?= -set=recommended -size=1KiB -conc=100

bench: bin/benchrounds bin/bench.test ## the recommended variants, 4 minutes, lines in bench.txt
	$(call rounds,$(OUT)=bin/bench.test) -test.bench='$(BENCH)' $(FLAGS)
	@$(MAKE) --no-print-directory table

# The frameworks that have modules of their own are measured in the same rounds.
bench-all: OUT := bench-all.txt
bench-all: bin/benchrounds bin/bench.test bin/dubbo.test bin/motan.test ## as bench, with dubbo and motan
	$(call rounds,bench-root.txt=bin/bench.test $(foreach m,dubbo motan,bench-$(m).txt=bin/$(m).test)) \
		-test.bench='$(BENCH)' $(FLAGS)
	cat bench-root.txt bench-dubbo.txt bench-motan.txt > $(OUT)
	@$(MAKE) --no-print-directory table OUT=$(OUT)

# One message, every serializer and operation.
bench-codecs codecs-figures codecs-parallel codecs-share: ROUNDS ?= 6
bench-codecs codecs-figures: BENCHTIME ?= 0.05s
bench-codecs: MSG ?= bench
bench-codecs: bin/benchrounds bin/codecs.test ## serializers with MSG (bench), 2 minutes, lines in codecs.txt
	$(call rounds,codecs.txt=bin/codecs.test) -test.bench='^BenchmarkCodec$$/./msg=$(MSG)'
	@$(MAKE) --no-print-directory table-codecs

# Without a JDK and Maven each server says that it is skipped. The one of brpc has
# no streams.
peer = bin/peer -o bench-peers.txt $(1) testdata/peers/$(2) bin/$(3).test framework=$(4)
unary := -test.skip='Conformance////(streams|transfers)'
peers: FLAGS ?= -test.benchtime=$(BENCHTIME) -size=1KiB -conc=100
peers: bin/peer bin/rpcbench.test bin/dubbo.test bin/motan.test ## servers in Java, lines in bench-peers.txt
	rm -f bench-peers.txt
	set -e; for v in 2.7 3.3; do $(call peer,dubbo-java-$$v,dubbo-$$v,dubbo,dubbo/transport=dubbo) $(FLAGS); done
	set -e; for t in baidu_std/codec=protobuf baidu_std/codec=raw hulu; do \
		$(call peer,brpc-java,brpc-java,rpcbench,brpc/transport=$$t) $(unary) $(FLAGS); done
	$(call peer,motan-java,motan,motan,motan/transport=motan2/codec=simple) $(FLAGS)

# Thousands of callers for long, of every variant: not for CI.
soak: run := bin/rpcbench.test -test.run='^$$' -test.timeout=0 -size=1KiB
soak: bin/rpcbench.test ## every variant with thousands of callers and 256 MiB, 2 hours
	$(run) -test.bench='^BenchmarkEcho$$' -test.benchtime=30s -conc=1000
	$(run) -test.bench='^Benchmark(Message|Rate|Conn|Workload|Cluster|Stream)$$' -test.benchtime=2s -rate=1000
	$(run) -test.bench='^BenchmarkBulk$$' -test.benchtime=1x -bulk=256MiB -transfers=1
	$(run) -test.bench='^BenchmarkEcho$$' -test.benchtime=20000x -conc=5000
	$(run) -test.bench='^BenchmarkEcho$$/framework=tcp/transport=conn' -test.benchtime=100000x -conc=10000

slurm-test: ## count the calls of agents in a Slurm of two nodes, 2 minutes
	go -C loadgen/example test -count=1 -timeout=15m -v -run='^TestSlurm$$' ./httpload -slurm

table: ## benchstat's table of OUT (bench.txt)
	@go tool benchstat -table .name -row '/framework /transport /codec' -col '' -ignore .config,/size,/conc \
	-filter '.unit:(calls/s OR p50-ns OR p99-ns OR client-cpu-ns/op OR server-cpu-ns/op)' $(OUT)

table-codecs: ## benchstat's table codec × op of codecs.txt
	@go tool benchstat -table '' -row '/codec /mode' -col /op -ignore .config,/msg -filter '.unit:ns/op' codecs.txt

report: REPORT ?= report.html
report: TEXTS  ?= $(OUT)
report: bin/benchreport ## REPORT (report.html) of TEXTS (bench.txt) and RECORDS
	bin/benchreport -o $(REPORT) $(if $(RECORDS),-results $(RECORDS)) $(TEXTS)

## compare
# 6 cases of 0.5 s, and the rounds that a difference needs to show.
bench-diff bench-versions: BENCH  ?= ^BenchmarkEcho$$/framework=(grpc|kitex|rpcx|arpc|tcp)$$
bench-diff bench-versions: ROUNDS ?= 10
compared := bin/benchdiff bin/benchrounds
diff      = bin/benchdiff -rounds=$(ROUNDS) $(DIFFFLAGS)
diffed    = -test.bench='$(BENCH)' -test.benchtime=$(BENCHTIME) $(FLAGS)

bench-diff: BASE ?= origin/main
bench-diff: $(compared) ## the working tree with BASE (origin/main), 12 to 30 minutes
	$(diff) -base=$(BASE) -- $(diffed)

bench-versions: $(compared) ## versions A and B of the module MOD, 12 to 30 minutes
	$(diff) -mod='$(MOD)' -a='$(A)' -b='$(B)' -- $(diffed)

check-diff: ## see that bench-diff finds a planted slowdown, 5 minutes
	go test -C cmd/benchdiff -count=1 -timeout=40m -v -run='^TestPlanted$$' . -planted

## work
build: bin/rpcbench.test bin/codecs.test ## the benchmark binaries and the commands into bin
	go build -C cmd -o ../bin/ ./...

# Two modules at once, since tests mostly wait. What one prints comes in a piece.
each = $(if $(1),+@$(MAKE) -k -j$(or $(JOBS),2) -O --no-print-directory $(addprefix $@/,$(1)))
quick: main    = $(shell git merge-base HEAD origin/main 2>/dev/null || echo HEAD)
quick: changes = $(shell git diff --name-only $(main) -- $(1); git ls-files -o --exclude-standard $(1))
quick: changed = $(foreach m,$(MODULES),$(if $(call changes,$m),$m))
quick: ## lint of what changed since origin/main, short tests, a minute
	@$(MAKE) --no-print-directory lint MODULES='$(changed)'
	@$(MAKE) --no-print-directory test HOW=-short
test: ## all tests of all modules, 4 minutes
	$(call each,$(MODULES))
test/%:
	cd $* && go test $(or $(HOW),-count=1) -parallel=4 -timeout=20m ./...
# The benchmarks run once, so that they cannot rot: of the suites' sizes, rates
# and workloads one will do. Each search for a capacity takes a second even so.
SET ?= recommended
once: SEARCH := ^Benchmark(Capacity|Load)$$
once: ONCE   := go test -run='^$$' -bench=. -benchtime=1x
once: ## every benchmark once, of the variants in SET (recommended)
	$(ONCE) -skip='$(SEARCH)' . -set=$(SET) -size=1KiB -rate=1000 -workload=db -bulk=256KiB -transfers=2
	go test -run='^$$' -bench='$(SEARCH)' -benchtime=1x . -set=recommended -size=1KiB -load=100
	cd frameworks/suite/example && $(ONCE) . -size=1KiB -rate=1000
	set -e; for m in loadgen loadgen/example codecs/adapters; do (cd $$m && $(ONCE) ./...); done

race: ## conformance, faults, loadgen and suite with the race detector
	$(call each,$(or $(RACED),. loadgen frameworks/suite))
race/%:
	cd $* && go test -race -vet=off -count=1 -parallel=2 -timeout=1h $(if $(filter .,$*),. -set=$(SET),./...)
weekly: ## all that .ci/run leaves out, 2 hours
	@$(MAKE) -k once race seeds commands SET=all RACED='. codecs frameworks $(filter-out .,$(MODULES))'
seeds: ## loadgen's simulations with many seeds, 10 minutes
	go test -C loadgen -count=1 -timeout=60m . -coverage=100 -searches=20 -configurations=600 -stops=3
commands: ## every command of the documents, 30 minutes
	go test -count=1 -timeout=2h -run='^TestCommands$$' . -commands=all

lint: ## formatting, vet, staticcheck and go.mod of all modules
	$(TOOL) actionlint -shellcheck= -pyflakes= $(wildcard .github/workflows/*.yml) \
		$(wildcard */example/bench.yml */*/example/bench.yml)
	$(call each,$(MODULES))
lint/%:
	@cd $* && files=$$($(TOOL) gofumpt -l .) && if [ -n "$$files" ]; then echo "gofumpt: $$files"; exit 1; fi
	cd $* && go vet ./... && $(TOOL) staticcheck ./... && go mod tidy -diff

fmt: ## format all code
	$(TOOL) gofumpt -w .

clean: ## remove what was built
	rm -rf bin

## generate
generate: ## code of testdata's schemas, and frameworks/README.md's table
	go run -C cmd/tools ./generate ../..
	@$(MAKE) --no-print-directory bin/rpcbench.test
	sed -i '/^| framework /,$$d' frameworks/README.md
	bin/rpcbench.test -variants >> frameworks/README.md

check-generated: generate ## fail when generating changes what is committed
	@test -z "$$(git status --porcelain -- codecs frameworks | tee /dev/stderr)"

# A serializer's figures and verdicts are kept, and checked to be of its version:
# $(call keep,NAME,FILES), and the section of codecs/README.md that shows them.
keep    = { date -u '+date: %F'; cat $(2); } > codecs/adapters/testdata/$(1).txt
section = $(MAKE) --no-print-directory codecs-readme && sed -n '/^\#\# $(1)/,/^\#\# /{/^[^\#]/p}' codecs/README.md

codecs-readme: ## codecs/README.md of its template and what the tests keep
	go test -C codecs/adapters -count=1 -run '^TestReadme$$' . -update

codecs-figures: bin/benchrounds bin/codecs.test ## measure all messages for codecs/README.md, 6 minutes
	$(call rounds,codecs.txt=bin/codecs.test) -test.bench='^BenchmarkCodec$$'
	$(call keep,figures,codecs.txt)
	@$(call section,Speed)

codecs-parallel: BENCHTIME ?= 0.1s
codecs-parallel: bin/benchrounds bin/codecs.test ## measure six serializers with 1 and 2 procs for it, a minute
	$(call rounds,codecs-parallel.txt=bin/codecs.test) -test.cpu=1,2 \
		-test.bench='^BenchmarkParallel$$/codec=(hand|json|sonic|protobuf|vtproto|msgp)$$/msg=bench'
	$(call keep,parallel,codecs-parallel.txt)
	@$(call section,Parallel)

# CPU time is compared, by one caller: many share their system calls. The
# serializers come last, since frameworks print versions as well.
codecs-share: BENCHTIME ?= 0.2s
codecs-share: shared := codec=(protobuf|json|msgpack|gob)
codecs-share: bin/benchrounds bin/rpcbench.test bin/codecs.test ## measure their share of an RPC for it, 2 minutes
	$(call rounds,bench-share.txt=bin/rpcbench.test) -conc=1 \
		-test.bench='^BenchmarkMessage$$/framework=(grpc|rpcx|netrpc)$$/transport=(h2|tcp)$$/$(shared)$$'
	$(call rounds,codecs-share.txt=bin/codecs.test) -test.benchtime=0.1s \
		-test.bench='^BenchmarkCodec$$/$(shared)$$/msg=bench/op=(marshal_fresh|unmarshal)$$'
	$(call keep,share,bench-share.txt codecs-share.txt)
	@$(call section,Share)

hostile: ## give every decoder 1,200 broken inputs for it, a minute
	go test -C codecs/adapters -count=1 -run '^TestHostile$$' . -mutations=1200 -update
	@$(call section,Hostile)

# The results in the tree: lines, the records of one benchmark, tables, pictures.
KEPT     := testdata/results
KEEP     := bin/benchrounds -n 3 $(KEPT)
KEPTRUN  := -test.run='^$$' -test.benchtime=0.5s -set=protobuf -size=1KiB -detail
kept      = rm -f $(KEPT)/*.old; \
	sed -i "1i date: $$(date -u +%F)\ncommit: $$(git rev-parse --short HEAD)" $(KEPT)/$(1).txt
PICTURES := throughput-echo-1kib latency-p99-echo-1kib rate-p99-rate-1kib percentiles-message-100-callers \
	cpu-client-echo-1kib-100-callers cpu-server-echo-1kib-100-callers

results: results-echo results-message results-rate results-pictures ## measure and draw testdata/results, 10 minutes

results-echo: bin/benchrounds bin/rpcbench.test ## measure its part against concurrency
	$(KEEP)/echo.txt=bin/rpcbench.test -- $(KEPTRUN) -test.bench='^BenchmarkEcho$$' -conc=1,10,100,1000
	$(call kept,echo)

results-message: bin/benchrounds bin/rpcbench.test ## measure its part that has records
	rm -rf $(KEPT)/records
	$(KEEP)/message.txt=bin/rpcbench.test -- $(KEPTRUN) -test.bench='^BenchmarkMessage$$' -conc=100 \
		-results=$(KEPT)/records
	$(call kept,message)

results-rate: bin/benchrounds bin/rpcbench.test ## measure its part against the offered rate
	$(KEEP)/rate.txt=bin/rpcbench.test -- $(KEPTRUN) -test.bench='^BenchmarkRate$$' \
		-rate=2000,5000,10000,20000,30000,40000
	$(call kept,rate)

results-pictures: bin/benchreport ## draw its pictures and the README's table anew
	bin/benchreport -results $(KEPT)/records -markdown $(KEPT)/tables.md -readme README.md -svg bin/pictures \
		-o bin/report.html $(KEPT)/*.txt
	set -e; for p in $(PICTURES); do cp bin/pictures/$$p.svg bin/pictures/$$p-dark.svg $(KEPT)/; done

## release
check-examples: ## run what others copy, out of the tree, with a release of it
	go test -C cmd -count=1 -timeout=30m -v -run=Release . -examples

check-echarts: ## compare the tree's ECharts with npm's, byte by byte
	go test -C cmd/benchreport/page -count=1 -run=TestLibraryIsUnchanged . -npm

# Modules that others import or install have a tag each. All that names their
# version is set to that of the release.
release: TAGS := $(VERSION) $(foreach m,loadgen frameworks/suite codecs/suite cmd,$(m)/$(VERSION))
release: ## commit and tag VERSION=v0.2.0 of what others import
	@echo '$(VERSION)' | grep -qE '^v[0-9]+\.[0-9]+\.[0-9]+$$' || \
		{ echo "VERSION=$(VERSION): it looks like v0.2.0"; exit 1; }
	@! git rev-parse -q --verify 'refs/tags/$(VERSION)' >/dev/null || \
		{ echo "$(VERSION) is tagged already"; exit 1; }
	@git diff --quiet HEAD || { echo "there are changes that are not committed"; exit 1; }
	sed -i -e 's|\($(repo)/[a-z/]*\) v[0-9.]*$$|\1 $(VERSION)|' -e 's|^\(RPCBENCH *?=\).*|\1 $(VERSION)|' \
		$$(git ls-files '*go.mod' '*/example/Makefile')
	git commit -q --allow-empty -a -m 'release $(VERSION)'
	set -e; for t in $(TAGS); do git tag $$t; done
	@echo 'push it: git push --atomic origin HEAD $(TAGS)'
