# Every module of the repository; a new one is added here. Tests run in this order: what mostly waits comes first.
MODULES := frameworks/machines frameworks/dubbo frameworks/grpc/frozen frameworks/motan frameworks/nats \
	frameworks/trpc frameworks/zrpc frameworks/kitex/frozen frameworks/rpcx/frozen frameworks/suite \
	frameworks/suite/example loadgen loadgen/example loadgen/grpcload codecs/suite codecs/suite/example \
	codecs/adapters cmd cmd/tools .

repo := github.com/rpcbench/rpcbench
TOOL  = go tool -modfile=$(call q,$(CURDIR)/cmd/tools/go.mod)
export GOWORK := off
# What a variable has reaches a program as it is, as one word or as the words of a list.
q  = '$(subst ','\'',$(1))'
qs = $(foreach word,$(1),$(call q,$(word)))

# A target with a slash is a part of the one before the slash.
help:
	@awk -F ':.*## ' '/^## /{group = substr($$0, 4)}; \
		/^[a-z-]+:.*## /{printf "%-8s%-14s %s\n", group, $$1, $$2; group = ""}' Makefile
	@echo 'A part alone: make test/loadgen, make check/once, make results/echo'

.PHONY: $(shell sed -n 's/^\([a-z0-9/-]*\):.*/\1/p' Makefile .ci/*.mk testdata/results/*.mk)

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
bin/message bin/truth: FORCE
	@go build -C cmd/tools -trimpath -buildvcs=false -o ../../bin/ ./$(@F)
bin/%: FORCE
	@$(if $(filter 0,$(MAKELEVEL)),test -e $@ || echo building $@ >&2;) \
		said=$$(go build -C cmd -o ../bin/ ./$* 2>&1) || { echo "$$said" >&2; exit 1; }
FORCE:

# The settings of a target are next to it. The command line has others: what is measured (BENCH),
# for how long (BENCHTIME), how often (ROUNDS), with which FLAGS, and the file of the lines (OUT).
OUT    ?= bench.txt
ranked  = -then='bin/benchreport -table=-'
rounds  = bin/benchrounds -build='make -s' -n $(call q,$(ROUNDS)) $(PRECISION) $(3) $(1) -- -test.run='^$$' \
	$(call q,-test.benchtime=$(or $(2),$(BENCHTIME)))

# Each framework has a binary of its own: a collector marks the tables of all that is linked in. FRAMEWORKS, or
# -framework= in FLAGS, selects them; of several each leaves raw TCP to frameworks/tcp. HOSTS: see MACHINES.md.
nested     := dubbo motan nats trpc zrpc
frameworks := $(patsubst frameworks/%/bench_test.go,%,$(wildcard frameworks/*/bench_test.go))
local      := $(filter-out jkrpc gnet nbio netpoll $(nested),$(frameworks))
comma      := ,
chosen      = $(or $(subst $(comma), ,$(patsubst -framework=%,%,$(filter -framework=%,$(FLAGS)))),$(FRAMEWORKS))
unknown     = $(filter-out $(frameworks),$(chosen))
known       = $(if $(unknown),$(error FRAMEWORKS: there is no $(unknown): there are $(frameworks)),$(chosen))
far = $(if $(HOSTS),-host=$(HOSTS) $(TOKEN:%=-token-file=%) $(RANKS:%=-ranks=% -rank=0 -run-name=make -stay=1h))
flags       = $(if $(word 2,$(chosen)),-references=false) $(call qs,$(filter-out -framework=%,$(FLAGS)) $(far))
measure     = $(call rounds,$(foreach f,$(known),$(call q,$(1)=bin/$f.test)),$(2),$(3)) $(flags)

## measure
anatomy: BENCHTIME ?= 2s
bench bench-diff bench-message bench-versions peers soak: BENCHTIME ?= 0.5s
bench: FRAMEWORKS ?= $(filter-out brpc jrpc2 tars ttrpc,$(local))
bench-versions soak: FRAMEWORKS ?= $(local)
bench: BENCH  ?= ^Benchmark(Echo|Message)$$
bench: FLAGS ?= -set=protobuf,recommended -size=1KiB -conc=100
anatomy bench-diff bench-count bench-versions: FLAGS ?= -set=recommended -size=1KiB -conc=100

bench: bin/benchrounds ## rank frameworks in a table, 4 minutes, bench.txt
	@$(call measure,$(OUT),,$(ranked)) $(call q,-test.bench=$(BENCH))
	@echo 'next: make report (charts), make table (for benchstat), make bench-diff (a change of yours)'

count footprint: FRAMEWORKS ?= $(filter-out jkrpc,$(frameworks))
count footprint: OUT = $@.txt
count: bin/benchrounds bin/benchreport ## bytes and system calls of a call, a minute, count.txt
	@$(call measure,$(OUT),1x) -test.bench=^BenchmarkCount$$ -set=recommended -size=1KiB
	@bin/benchreport -markdown=- $(call q,$(OUT))

footprint: bin/benchrounds bin/benchreport ## size, start and memory of all, 5 minutes, footprint.txt
	@bin/benchrounds $(call q,-n=$(ROUNDS)) -build='make -s' $(foreach f,$(known),$(call q,$(OUT)=bin/$f.footprint))
	@bin/benchreport -markdown=- $(call q,$(OUT))

anatomy bench bench-codecs bench-message results/codecs-parallel results/codecs-share: ROUNDS ?= 6
bench-codecs results/codecs-speed: BENCHTIME ?= 0.05s
bench-codecs: MSG ?= bench
bench-codecs: bin/benchrounds ## rank serializers with MSG (bench), 2 min, codecs.txt
	@$(call rounds,codecs.txt=bin/codecs.test,,$(ranked)) $(call q,-test.bench=^BenchmarkCodec$$/./msg=$(MSG))

# Each round measures a framework without the profiler, for its cost, and for longer with it.
anatomy: bin/benchrounds ## where the CPU time of a call goes, 3 min, anatomy.txt
	@! test -e anatomy || { rm -rf anatomy.old; mv anatomy anatomy.old; }; bin/benchrounds -build='make -s' \
		-then='bin/benchanatomy anatomy' $(call q,-n=$(ROUNDS)) -only=anatomy.txt=-anatomy=anatomy \
		-only=anatomy.txt=$(call q,-test.benchtime=$(BENCHTIME)) $(foreach f,$(known:%=bin/%.test), \
		anatomy-off.txt=$f anatomy.txt=$f) -- -test.run='^$$' $(call q,-test.bench=$(BENCH)) $(flags)

# A module of the message and its binaries are made in the user's cache directory. In the place
# of {} the rounds have what was built. All is looked at before anything is measured.
message = bin/message -root=. $(foreach f,proto=PROTO I=IMPORTS message=MESSAGE samples=SAMPLES reply=REPLY \
	reply-samples=REPLY_SAMPLES field=FIELD fill=FILL n=N seed=SEED,$(call given,$(subst =, ,$(f))))
given   = $(if $($(word 2,$(1))),$(call q,-$(word 1,$(1))=$($(word 2,$(1)))))
turns   = -- bin/benchrounds $(call q,-n=$(ROUNDS)) $(ranked) {} -- -test.run='^$$'
skipped = $(if $(filter none,$($(1))),@:,@$(2))
bench-message: FLAGS  ?= -set=protobuf,recommended -conc=100
bench-message: bin/message bin/benchrounds bin/benchreport ## rank all with PROTO, MESSAGE and SAMPLES of yours, 5 min
	@$(message) $(call q,-codecs=$(CODECS)) $(call q,-frameworks=$(chosen)) -print-dir >/dev/null
	$(call skipped,CODECS,$(message) $(call q,-codecs=$(CODECS)) -frameworks=none $(turns) \
		-test.benchtime=0.03s -test.bench='Codec/././op=(marshal_fresh|unmarshal\b|touch)')
	$(call skipped,FRAMEWORKS,$(message) -codecs=none $(call q,-frameworks=$(chosen)) $(turns) \
		$(call q,-test.benchtime=$(BENCHTIME)) -test.bench='^Benchmark(Message|Count)$$/./././msg=' $(flags))

# Servers whose tools or packages cannot be had say that they are skipped.
peers: FLAGS ?= -test.benchtime=$(BENCHTIME) -size=1KiB -conc=100
peers: $(patsubst %,bin/%.test,brpc connect dubbo grpc motan nats thrift)
peers: bin/peer ## servers in other languages, bench-peers.txt
	rm -f bench-peers.txt && bin/peer -o bench-peers.txt -table=testdata/peers/table.txt -- $(call qs,$(FLAGS))

soak: ROUNDS ?= 1
soak: bin/benchrounds bin/tcp.test bin/rpcbench.test # thousands of callers, 256 MiB, 2 hours, lines in soak*.txt
	$(call measure,soak-echo.txt,30s) -size=1KiB -test.bench='^BenchmarkEcho$$' -conc=1000
	$(call measure,soak.txt,2s) -size=1KiB -rate=1000 -test.bench='Message|Rate|Conn|Work|Clus|Str'
	$(call measure,soak-bulk.txt,1x) -test.bench='^BenchmarkBulk$$' -bulk=256MiB -transfers=1
	$(call measure,soak-callers.txt,20000x) -size=1KiB -test.bench='^BenchmarkEcho$$' -conc=5000
	$(call rounds,soak-tcp.txt=bin/tcp.test,100000x) -test.bench='Echo$$/./=conn/./1KiB' -conc=10000
	$(call rounds,soak-db.txt=bin/rpcbench.test,2s) -test.bench='^BenchmarkWorkload$$' -size=1KiB -workload=db

table: # benchstat's tables of OUT (bench.txt)
	@go tool benchstat -table .name -row '/framework /transport /codec /profile' -ignore .config,/size,/conc \
	-col '' -filter '.unit:(calls/s OR p50-ns OR p99-ns OR client-cpu-ns/op OR server-cpu-ns/op)' $(call q,$(OUT))

# Records of what was measured stay in truth/, so that it goes on where it was interrupted.
truth: bin/truth ## which load generators tell the truth, 75 min, truth.txt
	@bin/truth $(call qs,$(FLAGS)) >truth.txt.part && mv truth.txt.part truth.txt && cat truth.txt

report: bin/benchreport ## REPORT (report.html) of TEXTS (bench.txt) and RECORDS
	bin/benchreport $(call q,-o=$(or $(REPORT),report.html)) \
		$(if $(RECORDS),$(call q,-results=$(RECORDS))) $(call qs,$(or $(TEXTS),$(OUT)))

## compare
anatomy bench-diff: FRAMEWORKS ?= grpc kitex rpcx arpc
anatomy bench-diff bench-versions: BENCH  ?= ^BenchmarkEcho$$
bench-diff bench-count bench-versions results/codecs-speed footprint: ROUNDS ?= 10
count: ROUNDS ?= 3
pkgs   = $(subst $() ./,$(comma)./,$(known:%=./frameworks/%))
diff   = bin/benchdiff -pkg=$(pkgs) $(call qs,-rounds=$(ROUNDS) $(1) $(DIFFFLAGS))
diffed = $(call q,-test.bench=$(or $(1),$(BENCH))) $(call q,-test.benchtime=$(or $(2),$(BENCHTIME))) \
	$(call qs,$(filter-out -framework=%,$(FLAGS)))

api bench-diff bench-count: BASE ?= origin/main
bench-diff: bin/benchdiff bin/benchrounds ## time this tree and BASE (origin/main), 4 to 20 minutes
	$(call diff) $(call q,-base=$(BASE)) -- $(call diffed)

bench-count: FRAMEWORKS ?= $(filter-out jkrpc $(nested),$(frameworks))
bench-count: bin/benchdiff bin/benchrounds ## fail on more allocations, system calls, bytes, a minute
	$(call diff,-counts=5) $(call q,-base=$(BASE)) -- $(call diffed,^BenchmarkCount$$,1x)

bench-versions: bin/benchdiff bin/benchrounds ## time versions A and B of the module MOD, 3 to 30 min
	$(call diff) $(call q,-mod=$(MOD)) $(call q,-a=$(A)) $(call q,-b=$(B)) -- $(call diffed)

history: NEWEST    ?= 12
history: ROUNDS    ?= 40
history: BENCHTIME ?= 0.1s
history: bin/benchhistory bin/benchrounds ## releases of MOD: VERSIONS, or the newest 12, 20 minutes
	bin/benchhistory $(call qs,$(HISTORYFLAGS)) -dir $(call q,$(HISTORY)) $(call q,-mod=$(MOD)) $(if $(VERSIONS),\
		$(call q,-versions=$(subst $() ,$(comma),$(strip $(VERSIONS)))),$(call q,-newest=$(NEWEST))) \
		$(call q,-rounds=$(ROUNDS)) -- -test.bench='^Benchmark(Echo|Message)$$' \
		$(call q,-test.benchtime=$(BENCHTIME)) -references=false \
		$(call qs,$(or $(FLAGS),-set=recommended -size=1KiB -conc=10$(comma)100))

## work
# Two modules at once: tests mostly wait. Results of what did not change are kept, see HOW=-count=1.
each = $(if $(1),$(MAKE) -k $(call q,-j$(or $(JOBS),2)) -O --no-print-directory $(call qs,$(addprefix $@/,$(1))))
# Compiled once for all clones, and zRPC without its client of Kubernetes, which calls none:
test/% race/% quick lint lint/% generate api check/once peers check/examples: export GOFLAGS += -trimpath -tags=no_k8s
took = go run -C cmd ./internal/took $(1) $(call q,$*)
tell = code=$$?; go run -C cmd ./internal/needs make $@; go run -C cmd ./internal/took -table $@ || code=1; exit $$code
test: ## all tests that a change can reach, 10 minutes
	+@rm -f bin/took-$@.txt; $(or $(call each,$(MODULES)),true); $(tell)
test/%:
	@$(call took,test) $(call qs,$(HOW)) ./...
quick: ## format, vet and short tests of what changed
	go run -C cmd ./internal/changed quick ..
race: ## tests with most concurrency, with the race detector
	+@rm -f bin/took-$@.txt; $(call each,$(or $(RACED),frameworks loadgen frameworks/suite)); $(tell)
# Of frameworks, those with variants know -set. The others run with SET=all.
SET   ?= recommended
# SHORT= adds tests that take ten seconds or more.
SHORT ?= -short
proven = $(filter-out $(MODULES),$(patsubst %/bench_test.go,%,$(wildcard frameworks/*/bench_test.go)))
most   = $(if $(filter recommended,$(SET)),$(proven:frameworks/%=./%) $(call q,-set=$(SET)))
race/%:
	@$(call took,race) -race -vet=off -count=1 -parallel=4 -timeout=1h $(SHORT) \
		$(or $(and $(filter frameworks,$*),$(most)),./...)
lint: ## format, vet, staticcheck, go.mod, sizes of packages
	$(TOOL) actionlint -shellcheck= -pyflakes= .github/workflows/*.yml */example/bench.yml */*/example/bench.yml
	go run -C cmd/tools ./house
	+@$(call each,$(MODULES))
lint/%:
	@cd $(call q,$*) && files=$$($(TOOL) gofumpt -l .) && \
		if [ -n "$$files" ]; then echo "gofumpt: $$files"; exit 1; fi
	cd $(call q,$*) && go vet ./... && $(TOOL) staticcheck ./... && go mod tidy -diff
check: ## all that must pass before a change lands: .ci/run
	.ci/run
thorough: ## what takes too long for each change, 7 hours
	@$(MAKE) -k $(addprefix thorough/,diff history advisories seeds once storms commands race arm64 mutants)
fmt: ## format all code
	$(TOOL) gofumpt -w .
clean: ## remove what was built
	rm -rf bin dist

## publish
generate: ## code of schemas, copies of code, tables of documents, API
	go run -C cmd/tools ./generate ../..
	@$(MAKE) -s bin/rpcbench.test && bin/rpcbench.test -test.run='^TestTablesOfDocuments$$' -update
	go run -C cmd/tools ./api ../..
api: # what breaks users of the modules since BASE (origin/main), and what is new
	go run -C cmd/tools ./api $(call q,-base=$(BASE)) ../..

results: $(addprefix results/,echo message rate cost count start pictures) ## what the documents show, 30 minutes

# The parts of check and thorough, of results, and the records of history.
include .ci/*.mk testdata/results/*.mk

release: ## commit, tag, build VERSION=v0.2.0 of what others import
	@go run -C cmd ./internal/release $(if $(PLATFORMS),$(call q,-platforms=$(PLATFORMS))) $(call q,$(VERSION))
release/dist: # build and check dist/ of the version that HEAD is tagged with
	@go run -C cmd ./internal/release $(if $(PLATFORMS),$(call q,-platforms=$(PLATFORMS))) -dist
