# Every module of the repository; a new one is added here.
MODULES := . loadgen loadgen/example codecs/suite codecs/adapters cmd cmd/tools frameworks/suite \
	frameworks/machines frameworks/dubbo frameworks/motan frameworks/nats \
	frameworks/grpc/frozen frameworks/kitex/frozen frameworks/rpcx/frozen frameworks/suite/example

repo := github.com/rpcbench/rpcbench
TOOL  = go tool -modfile=$(call q,$(CURDIR)/cmd/tools/go.mod)
export GOWORK := off
# What a variable has reaches a program as it is, as one word or as the words of a list.
q  = '$(subst ','\'',$(1))'
qs = $(foreach word,$(1),$(call q,$(word)))

help: ## list the targets
	@awk -F ':.*## ' '/^## /{print "\n" substr($$0, 4) ":"}; \
		/^[a-z-]+:.*## /{printf "  %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: $(shell sed -n 's/^\([a-z-]*\):.*/\1/p' Makefile testdata/results/*.mk)

# Go knows what of these is current. make lint vets them.
bin/rpcbench.test: FORCE
	go test -vet=off -c -o $@ .
bin/codecs.test: FORCE
	go test -C codecs/adapters -vet=off -c -o ../../$@ .
bin/%.test: FORCE
	go test -C frameworks/$* -vet=off -c -o ../../$@ .
# A program that has this framework and little else, see frameworks/suite/footprint.
bin/%.footprint: FORCE
	d=$$(mktemp -d) && trap 'rm -r "$$d"' EXIT && \
		printf 'package main; import f "%s"; import "%s"; func main() { f.Main($*.Variants()) }' \
			$(repo)/frameworks/suite/footprint $(repo)/frameworks/$* >"$$d/main.go" && \
		CGO_ENABLED=0 go build -C frameworks/$* -trimpath -ldflags='-s -w' -o ../../$@ "$$d/main.go"
bin/%: FORCE
	@go build -C cmd -o ../bin/ ./$*
FORCE:

# The settings of a target are next to it. The command line has others: what is measured (BENCH),
# for how long (BENCHTIME), how often (ROUNDS), with which FLAGS, and the file of the lines (OUT).
OUT    ?= bench.txt
ranked  = -then='bin/benchreport -table=-'
rounds  = bin/benchrounds -n $(call q,$(ROUNDS)) $(3) $(1) -- -test.run='^$$' \
	$(call q,-test.benchtime=$(or $(2),$(BENCHTIME)))

# Each framework has a binary of its own: a collector marks the tables of all that
# is linked in. FRAMEWORKS, or -framework= in FLAGS, selects them; of several each
# leaves raw TCP to frameworks/tcp. Each is built before its first turn.
nested     := dubbo motan nats
frameworks := $(patsubst frameworks/%/bench_test.go,%,$(wildcard frameworks/*/bench_test.go))
local      := $(filter-out jkrpc $(nested),$(frameworks))
comma      := ,
chosen      = $(or $(subst $(comma), ,$(patsubst -framework=%,%,$(filter -framework=%,$(FLAGS)))),$(FRAMEWORKS))
unknown     = $(filter-out $(frameworks),$(chosen))
known       = $(if $(unknown),$(error FRAMEWORKS: there is no $(unknown): there are $(frameworks)),$(chosen))
flags       = $(if $(word 2,$(chosen)),-references=false) $(call qs,$(filter-out -framework=%,$(FLAGS)))
measure     = $(call rounds,-build='make -s' $(foreach f,$(known),$(call q,$(1)=bin/$f.test)),$(2),$(3)) $(flags)

## measure
bench bench-diff bench-versions peers soak: BENCHTIME ?= 0.5s
bench: FRAMEWORKS ?= $(filter-out brpc jrpc2 tars,$(local))
bench-versions soak: FRAMEWORKS ?= $(local)
bench: BENCH  ?= ^Benchmark(Echo|Message)$$
bench: FLAGS ?= -set=protobuf,recommended -size=1KiB -conc=100
bench-diff bench-versions: FLAGS ?= -set=recommended -size=1KiB -conc=100

bench: bin/benchrounds bin/benchreport ## rank frameworks in a table, 4 minutes, bench.txt
	@$(call measure,$(OUT),,$(ranked)) $(call q,-test.bench=$(BENCH))
	@echo 'next: make report (charts), make table (for benchstat), make bench-diff (a change of yours)'

bench-all: ## as bench, of all frameworks, bench-all.txt
	@$(MAKE) --no-print-directory bench OUT=bench-all.txt \
		FRAMEWORKS=$(call q,$(or $(FRAMEWORKS),$(local) $(nested)))

count footprint: FRAMEWORKS ?= $(local) $(nested)
count: OUT = count.txt
count: bin/benchrounds bin/benchreport ## bytes and system calls of a call, a minute, count.txt
	$(call measure,$(OUT),1x) -test.bench=^BenchmarkCount$$ -set=recommended -size=1KiB
	@bin/benchreport -markdown=- $(call q,$(OUT))

footprint: OUT = footprint.txt
footprint: bin/benchrounds bin/benchreport ## size, start and memory of all, 5 minutes, footprint.txt
	bin/benchrounds $(call q,-n=$(ROUNDS)) -build='make -s' $(foreach f,$(known),$(call q,$(OUT)=bin/$f.footprint))
	@bin/benchreport -markdown=- $(call q,$(OUT))

bench bench-codecs codecs-parallel codecs-share: ROUNDS ?= 6
bench-codecs codecs-figures: BENCHTIME ?= 0.05s
bench-codecs: MSG ?= bench
bench-codecs: bin/benchrounds bin/benchreport bin/codecs.test ## rank serializers with MSG (bench), 2 min, codecs.txt
	@$(call rounds,codecs.txt=bin/codecs.test,,$(ranked)) $(call q,-test.bench=^BenchmarkCodec$$/./msg=$(MSG))

# Servers whose tools or packages cannot be had say that they are skipped.
peers: FLAGS ?= -test.benchtime=$(BENCHTIME) -size=1KiB -conc=100
peers: $(patsubst %,bin/%.test,brpc connect dubbo grpc motan nats thrift)
peers: bin/peer ## servers in other languages, lines in bench-peers.txt
	rm -f bench-peers.txt
	bin/peer -o bench-peers.txt -table=testdata/peers/table.txt -- $(call qs,$(FLAGS))

soak: ROUNDS ?= 1
soak: bin/benchrounds bin/tcp.test bin/rpcbench.test ## thousands of callers, 256 MiB, 2 hours, lines in soak*.txt
	$(call measure,soak-echo.txt,30s) -size=1KiB -test.bench='^BenchmarkEcho$$' -conc=1000
	$(call measure,soak.txt,2s) -size=1KiB -rate=1000 -test.bench='Message|Rate|Conn|Work|Clus|Str'
	$(call measure,soak-bulk.txt,1x) -test.bench='^BenchmarkBulk$$' -bulk=256MiB -transfers=1
	$(call measure,soak-callers.txt,20000x) -size=1KiB -test.bench='^BenchmarkEcho$$' -conc=5000
	$(call rounds,soak-tcp.txt=bin/tcp.test,100000x) -test.bench='Echo$$/./=conn/./1KiB' -conc=10000
	$(call rounds,soak-db.txt=bin/rpcbench.test,2s) -test.bench='^BenchmarkWorkload$$' -size=1KiB -workload=db

slurm-test: ## count the calls of agents and ranks in a Slurm, 4 minutes
	go run -C cmd/tools ./slurm make -C ../.. test/loadgen/example test/frameworks/machines HOW='-v -run=Slurm'

table: ## benchstat's tables of OUT (bench.txt)
	@go tool benchstat -table .name -row '/framework /transport /codec /profile' -ignore .config,/size,/conc \
	-col '' -filter '.unit:(calls/s OR p50-ns OR p99-ns OR client-cpu-ns/op OR server-cpu-ns/op)' $(call q,$(OUT))

report: REPORT ?= report.html
report: TEXTS  ?= $(OUT)
report: bin/benchreport ## REPORT (report.html) of TEXTS (bench.txt) and RECORDS
	bin/benchreport $(call q,-o=$(REPORT)) $(if $(RECORDS),$(call q,-results=$(RECORDS))) $(call qs,$(TEXTS))

## compare
bench-diff: FRAMEWORKS ?= grpc kitex rpcx arpc tcp
bench-diff bench-versions: BENCH  ?= ^BenchmarkEcho$$
bench-diff bench-versions codecs-figures footprint: ROUNDS ?= 10
count: ROUNDS ?= 3
pkgs   = $(subst $() ./,$(comma)./,$(known:%=./frameworks/%))
diff   = bin/benchdiff -pkg=$(pkgs) $(call qs,-rounds=$(ROUNDS) $(DIFFFLAGS))
diffed = $(call q,-test.bench=$(BENCH)) $(call qs,-test.benchtime=$(BENCHTIME) $(filter-out -framework=%,$(FLAGS)))

bench-diff: BASE ?= origin/main
bench-diff: bin/benchdiff bin/benchrounds ## the working tree with BASE (origin/main), 12 to 30 minutes
	$(diff) $(call q,-base=$(BASE)) -- $(diffed)

bench-count: ## fail if a call takes more of what is counted, a minute
	@$(MAKE) --no-print-directory bench-diff BENCH='^BenchmarkCount$$' BENCHTIME=1x \
		$(if $(DIFFFLAGS),,DIFFFLAGS=-counts=5) $(if $(FRAMEWORKS),,FRAMEWORKS=$(call q,$(local)))

bench-versions: bin/benchdiff bin/benchrounds ## versions A and B of the module MOD, 3 to 30 minutes
	$(diff) $(call q,-mod=$(MOD)) $(call q,-a=$(A)) $(call q,-b=$(B)) -- $(diffed)

check-diff: ## see that bench-diff finds a planted slowdown, 5 minutes
	go test -C cmd/benchdiff -count=1 -timeout=40m -v -run='^TestPlanted$$' . -planted

## work
build: bin/rpcbench.test bin/codecs.test ## the benchmark binaries and the commands into bin
	go build -C cmd -o ../bin/ ./...

# Two modules at once: tests mostly wait. Results of what did not change are kept, see HOW=-count=1.
each = $(if $(1),$(MAKE) -k $(call q,-j$(or $(JOBS),2)) -O --no-print-directory $(call qs,$(addprefix $@/,$(1))))
test/% race/% lint lint/% once peers check-examples: export GOFLAGS += -trimpath # compiled once for all clones
took = go run -C cmd ./internal/took $(1) $(call q,$*)
tell = code=$$?; go run -C cmd ./internal/needs make $@; go run -C cmd ./internal/took -table $@ || code=1; exit $$code
quick: ## lint of what changed since origin/main, short tests, 2 min
	go run -C cmd ./internal/changed quick ..
flaky: ## tests of what changed, 20 times beside a busy loop
	go run -C cmd ./internal/changed flaky .. $(call qs,$(HOW))
test: ## all tests of what changed, 8 minutes at most
	+@rm -f bin/took-$@.txt; $(or $(call each,$(MODULES)),true); $(tell)
test/%:
	@$(call took,test) $(call qs,$(HOW)) $(or $(if $(filter .,$*),$(TESTED)),./...)
SET ?= recommended
once: SEARCH := ^Benchmark(Capacity|Load)$$
once: ONCE   := go test -run='^$$' -bench=. -benchtime=1x
once: ## every benchmark once, of the variants in SET (recommended)
	$(ONCE) -skip='$(SEARCH)' . $(call q,-set=$(SET)) -size=1KiB -rate=1000 -workload=db \
		-bulk=256KiB -transfers=2 -idle=100
	go test -run='^$$' -bench='$(SEARCH)' -benchtime=1x . -set=recommended -size=1KiB -load=100
	cd frameworks/suite/example && $(ONCE) . -size=1KiB -rate=1000
	set -e; for m in loadgen loadgen/example codecs/adapters; do (cd $$m && $(ONCE) ./...); done
race: ## conformance, faults, loadgen and suite with the race detector
	+@rm -f bin/took-$@.txt; $(call each,$(or $(RACED),frameworks loadgen frameworks/suite)); $(tell)
# Of frameworks, those with variants know -set. The others run with SET=all.
proven = $(filter-out $(MODULES),$(patsubst %/bench_test.go,%,$(wildcard frameworks/*/bench_test.go)))
race/frameworks: RACY = $(if $(filter recommended,$(SET)),$(proven:frameworks/%=./%) $(call q,-set=$(SET)))
race/%:
	@$(call took,race) -race -vet=off -count=1 -parallel=4 -timeout=1h $(or $(RACY),./...)
thorough: ## all that .ci/run leaves out, 6 hours
	@$(MAKE) -k $(or $(PARTS),check-diff check-history advisories seeds once storms commands race mutants) \
		SET=all RACED='codecs $(MODULES:.=frameworks)' MUTANTS='-n=120 -most=6'
seeds: ## simulations with many seeds, ends of runs, 25 min
	go test -C loadgen -count=1 -timeout=60m . -coverage=100 -configurations=600 -stops=3
	go test -C loadgen/capacity -count=1 -timeout=60m . -searches=20
	go test -C frameworks/suite -count=1 -run='Moments|ManyRanks|NoRun' . -ends=200 -crowds
	go test -C cmd/benchdiff/verdict -count=1 -run=Tables . -tables
	go test -C cmd/internal/history -count=1 -timeout=60m -run=RatesOf . -histories=1000
storms: ## all garbage and faults of TestStorms, 10 minutes
	set -e; for f in $(frameworks); do go test -C frameworks/$$f -timeout=1h -run='Faults|Storms' . -storms; done
advisories: ## code that is called and has unknown advisories, 5 minutes
	+@$(call each,$(filter-out %/frozen,$(MODULES)))
advisories/%:
	@go run -C cmd ./internal/advisories $(call q,$(abspath $*)) $(TOOL) govulncheck
mutants: ## plant 80 faults, list those that no test sees, 2 hours
	go run -C cmd/tools ./mutants $(call qs,$(MUTANTS)) ../..
commands: ## every command of the documents, 30 minutes
	go test -count=1 -timeout=2h -run='^TestCommands$$' . -commands=all
lint: ## formatting, vet, staticcheck, go.mod, bounds of packages
	$(TOOL) actionlint -shellcheck= -pyflakes= .github/workflows/*.yml */example/bench.yml */*/example/bench.yml
	go run -C cmd/tools ./house
	+@$(call each,$(MODULES))
lint/%:
	@cd $(call q,$*) && files=$$($(TOOL) gofumpt -l .) && \
		if [ -n "$$files" ]; then echo "gofumpt: $$files"; exit 1; fi
	cd $(call q,$*) && go vet ./... && $(TOOL) staticcheck ./... && go mod tidy -diff
platforms: ## vet what others import for the systems of CONTRIBUTING.md
	go run -C cmd ./internal/platforms
fmt: ## format all code
	$(TOOL) gofumpt -w .
clean: ## remove what was built
	rm -rf bin

## generate
generate: ## code of schemas, copies of code, tables of the documents
	go run -C cmd/tools ./generate ../..
	@$(MAKE) --no-print-directory bin/rpcbench.test
	bin/rpcbench.test -test.run='^TestTablesOfDocuments$$' -update

check-generated: ## fail when generating changes what is committed
	go test -C cmd/tools -count=1 -run=Current ./generate
	@$(MAKE) --no-print-directory generate
	@! git status -s -- cmd codecs frameworks loadgen | grep . || { echo 'commit what generating wrote'; exit 1; }

# A serializer's figures and verdicts are kept, and checked to be of its version:
# $(call keep,NAME,FILES), and the section of codecs/README.md that shows them.
keep    = { date -u '+date: %F'; cat $(2); } > codecs/adapters/testdata/$(1).txt
section = $(MAKE) --no-print-directory codecs-readme && sed -n '/^\#\# $(1)/,/^\#\# /{/^[^\#]/p}' codecs/README.md

codecs-readme: ## codecs/README.md of its template and what the tests keep
	go test -C codecs/adapters -count=1 -run '^TestReadme$$' . -update

codecs-figures: bin/benchrounds bin/codecs.test ## measure all messages for codecs/README.md, 8 minutes
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
codecs-share: FRAMEWORKS := grpc rpcx netrpc
codecs-share: shared := codec=(protobuf|json|msgpack|gob)
codecs-share: bin/benchrounds bin/codecs.test ## measure their share of an RPC for it, 2 minutes
	$(call measure,bench-share.txt) -conc=1 -test.bench='^BenchmarkMessage$$/./transport=(h2|tcp)$$/$(shared)$$'
	$(call rounds,codecs-share.txt=bin/codecs.test,0.1s) \
		-test.bench='^BenchmarkCodec$$/$(shared)$$/msg=bench/op=(marshal_fresh|unmarshal)$$'
	$(call keep,share,bench-share.txt codecs-share.txt)
	@$(call section,Share)

hostile: ## give every decoder 1,200 broken inputs for it, a minute
	go test -C codecs/adapters -count=1 -run '^TestHostile$$' . -mutations=1200 -update
	@$(call section,Hostile)

# What make results measures and draws for the tree.
include testdata/results/*.mk

## release
check-examples: ## run what others copy, out of the tree, with a release of it
	go test -C cmd -count=1 -timeout=30m -v -run=Release . -examples

# Modules that others import have a tag each. All that names their version is set to it.
release: TAGS := $(VERSION) $(foreach m,loadgen frameworks/suite codecs/suite cmd,$(m)/$(VERSION))
release: ## commit and tag VERSION=v0.2.0 of what others import
	@echo $(call q,$(VERSION)) | grep -qE '^v[0-9]+\.[0-9]+\.[0-9]+$$' || \
		{ echo $(call q,VERSION=$(VERSION): it looks like v0.2.0); exit 1; }
	@! git rev-parse -q --verify 'refs/tags/$(VERSION)' >/dev/null || \
		{ echo "$(VERSION) is tagged already"; exit 1; }
	@git diff --quiet HEAD || { echo "there are changes that are not committed"; exit 1; }
	sed -i -e 's|\($(repo)/[a-z/]*\) v[0-9.]*\( // indirect\)*$$|\1 $(VERSION)\2|' \
		-e 's|^\(RPCBENCH *?=\).*|\1 $(VERSION)|' $$(git ls-files '*go.mod' '*/example/Makefile')
	git commit -q --allow-empty -a -m 'release $(VERSION)'
	set -e; for t in $(TAGS); do git tag $$t; done
	@echo 'push it: git push --atomic origin HEAD $(TAGS)'
