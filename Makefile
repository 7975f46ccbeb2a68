# Every module of the repository; a new one is added here.
MODULES := . loadgen loadgen/example frameworks/suite frameworks/suite/example frameworks/dubbo frameworks/motan codecs/suite codecs/adapters cmd cmd/benchreport/browser cmd/tools

# make bench-diff and bench-versions: 6 cases of 0.5 s, and the rounds that a
# difference needs to show.
ifneq (,$(filter bench-diff bench-versions,$(MAKECMDGOALS)))
BENCH     ?= ^BenchmarkEcho$$/framework=(grpc|kitex|rpcx|arpc|tcp)$$
ROUNDS    ?= 10
endif

# make bench: what is measured, how often, and where the lines go.
BENCH     ?= ^Benchmark(Echo|Message)$$
ROUNDS    ?= 6
BENCHTIME ?= 0.5s
OUT       ?= bench.txt
FLAGS     ?= -set=recommended -size=1KiB -conc=100

TOOL      := go tool -modfile=$(CURDIR)/cmd/tools/go.mod
export GOWORK := off

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 18

.PHONY: bench
bench: build ## measure the recommended variants, 3 minutes, lines in bench.txt
	bin/benchrounds -n $(ROUNDS) $(OUT)=bin/rpcbench.test -- -test.run='^$$' -test.bench='$(BENCH)' -test.benchtime=$(BENCHTIME) $(FLAGS)
	@$(MAKE) --no-print-directory table

# The frameworks that have modules of their own are measured in the same rounds.
.PHONY: bench-all
bench-all: build build-nested ## measure as bench does, dubbo and motan too, lines in bench-all.txt
	bin/benchrounds -n $(ROUNDS) bench-root.txt=bin/rpcbench.test bench-dubbo.txt=bin/dubbo.test bench-motan.txt=bin/motan.test \
	-- -test.run='^$$' -test.bench='$(BENCH)' -test.benchtime=$(BENCHTIME) $(FLAGS)
	cat bench-root.txt bench-dubbo.txt bench-motan.txt > bench-all.txt
	@$(MAKE) --no-print-directory table OUT=bench-all.txt

.PHONY: build-nested
build-nested:
	go test -C frameworks/dubbo -c -o ../../bin/dubbo.test .
	go test -C frameworks/motan -c -o ../../bin/motan.test .

# Servers in Java. Without a JDK and Maven each says that it is skipped. The one
# of brpc has no streams.
PEERFLAGS ?= -test.benchtime=$(BENCHTIME) -size=1KiB -conc=100
peer      := bin/peer -o bench-peers.txt
.PHONY: peers
peers: build build-nested ## test and measure against servers in Java, lines in bench-peers.txt
	rm -f bench-peers.txt
	$(peer) dubbo-java-2.7 testdata/peers/dubbo-2.7 bin/dubbo.test framework=dubbo/transport=dubbo $(PEERFLAGS)
	$(peer) dubbo-java-3.3 testdata/peers/dubbo-3.3 bin/dubbo.test framework=dubbo/transport=dubbo $(PEERFLAGS)
	for v in baidu_std/codec=protobuf baidu_std/codec=raw hulu; do \
		$(peer) brpc-java testdata/peers/brpc-java bin/rpcbench.test framework=brpc/transport=$$v -test.skip='Conformance////(streams|transfers)' $(PEERFLAGS) || exit 1; \
	done
	$(peer) motan-java testdata/peers/motan bin/motan.test framework=motan/transport=motan2/codec=simple $(PEERFLAGS)

DIFF = bin/benchdiff -rounds=$(ROUNDS) $(DIFFFLAGS)
DIFFARGS = -test.bench='$(BENCH)' -test.benchtime=$(BENCHTIME) $(FLAGS)

.PHONY: bench-diff
bench-diff: tools ## compare the working tree with BASE, origin/main by default, 10 minutes
	$(DIFF) -base=$(or $(BASE),origin/main) -- $(DIFFARGS)

.PHONY: bench-versions
bench-versions: tools ## compare versions A and B of the module MOD, 10 minutes
	$(DIFF) -mod='$(MOD)' -a='$(A)' -b='$(B)' -- $(DIFFARGS)

.PHONY: check-diff
check-diff: ## plant a slowdown of 10 % in a copy and see that bench-diff finds it, 5 minutes
	go test -C cmd/benchdiff -count=1 -timeout=40m -v -run='^TestPlanted$$' . -planted

# Thousands of callers for long, of every variant: not for CI.
SOAK := bin/rpcbench.test -test.run='^$$' -test.timeout=0 -size=1KiB
.PHONY: soak
soak: build ## Echo of every variant by 1,000 callers for 30 s, every other row for 2 s, transfers of 256 MiB, 5,000 callers; 2 hours
	$(SOAK) -test.bench='^BenchmarkEcho$$' -test.benchtime=30s -conc=1000
	$(SOAK) -test.bench='^Benchmark(Message|Rate|Conn|Workload|Cluster|Stream)$$' -test.benchtime=2s -rate=1000
	$(SOAK) -test.bench='^BenchmarkBulk$$' -test.benchtime=1x -bulk=256MiB -transfers=1
	$(SOAK) -test.bench='^BenchmarkEcho$$' -test.benchtime=20000x -conc=5000
	$(SOAK) -test.bench='^BenchmarkEcho$$/framework=tcp/transport=conn' -test.benchtime=100000x -conc=10000

.PHONY: table
table: ## print the benchstat table of OUT, bench.txt by default
	@go tool benchstat -table .name -row '/framework /transport /codec' -col '' -ignore .config,/size,/conc \
	-filter '.unit:(calls/s OR p50-ns OR p99-ns OR client-cpu-ns/op OR server-cpu-ns/op)' $(OUT)

# make bench-codecs: one message, every serializer and operation.
MSG ?= bench

.PHONY: bench-codecs
bench-codecs: build ## measure the serializers with MSG (bench), under 2 minutes, lines in codecs.txt
	bin/benchrounds -n $(ROUNDS) codecs.txt=bin/codecs.test -- -test.run='^$$' -test.bench='^BenchmarkCodec$$/./msg=$(MSG)' -test.benchtime=0.05s
	@$(MAKE) --no-print-directory table-codecs

.PHONY: table-codecs
table-codecs: ## print the benchstat table codec × op of codecs.txt
	@go tool benchstat -table '' -row '/codec /mode' -col /op -ignore .config,/msg -filter '.unit:ns/op' codecs.txt

# A serializer's figures and verdicts are kept, and checked to be of its version.
.PHONY: codecs-figures
codecs-figures: build ## measure all messages for codecs/README.md, 6 minutes
	bin/benchrounds -n $(ROUNDS) codecs.txt=bin/codecs.test -- -test.run='^$$' -test.bench='^BenchmarkCodec$$' -test.benchtime=0.05s
	{ date -u '+date: %F'; cat codecs.txt; } > codecs/adapters/testdata/figures.txt
	@$(MAKE) --no-print-directory codecs-readme

.PHONY: codecs-parallel
codecs-parallel: build ## measure six serializers with 1 and 2 procs for codecs/README.md, a minute
	bin/benchrounds -n $(ROUNDS) codecs-parallel.txt=bin/codecs.test -- -test.run='^$$' -test.cpu=1,2 -test.benchtime=0.1s \
	-test.bench='^BenchmarkParallel$$/codec=(hand|json|sonic|protobuf|vtproto|msgp)$$/msg=bench'
	{ date -u '+date: %F'; cat codecs-parallel.txt; } > codecs/adapters/testdata/parallel.txt
	@$(MAKE) --no-print-directory codecs-readme
	@sed -n '/^## Parallel/,/^## /{/^[^#]/p}' codecs/README.md

# CPU time is compared, of frameworks that have a choice of serializers, by one
# caller: many share their system calls. The serializers come last, since
# frameworks print versions as well.
.PHONY: codecs-share
codecs-share: build ## measure what part of an RPC its serializer is for codecs/README.md, 2 minutes
	bin/benchrounds -n $(ROUNDS) bench-share.txt=bin/rpcbench.test -- -test.run='^$$' -test.benchtime=0.2s \
	-test.bench='^BenchmarkMessage$$/framework=(grpc|rpcx|netrpc)$$/transport=(h2|tcp)$$/codec=(protobuf|json|msgpack|gob)$$' -conc=1
	bin/benchrounds -n $(ROUNDS) codecs-share.txt=bin/codecs.test -- -test.run='^$$' -test.benchtime=0.1s \
	-test.bench='^BenchmarkCodec$$/codec=(protobuf|json|msgpack|gob)$$/msg=bench/op=(marshal_fresh|unmarshal)$$'
	{ date -u '+date: %F'; cat bench-share.txt codecs-share.txt; } > codecs/adapters/testdata/share.txt
	@$(MAKE) --no-print-directory codecs-readme
	@sed -n '/^## Share/,/^## /{/^[^#]/p}' codecs/README.md

.PHONY: codecs-readme
codecs-readme: ## write codecs/README.md anew
	go test -C codecs/adapters -count=1 -run '^TestReadme$$' . -update

.PHONY: hostile
hostile: ## give every decoder 1200 broken inputs in processes of limited memory, a minute
	go test -C codecs/adapters -count=1 -run '^TestHostile$$' . -mutations=1200 -update
	@$(MAKE) --no-print-directory codecs-readme
	@sed -n '/^## Hostile/,/^## Where/{/^[^#]/p}' codecs/README.md

# make report: what the lines of OUT, and others where TEXTS names them, look like.
TEXTS   ?= $(OUT)
RECORDS ?=
REPORT  ?= report.html

.PHONY: report
report: build ## write REPORT (report.html) of TEXTS (bench.txt), with percentile curves where RECORDS is their -results
	bin/benchreport -o $(REPORT) $(if $(RECORDS),-results $(RECORDS)) $(TEXTS)

# The results in the tree: lines, the records of one benchmark, tables, pictures.
KEPT     := testdata/results
KEEP     := bin/benchrounds -n 3 $(KEPT)
KEPTRUN  := -test.run='^$$' -set=recommended -size=1KiB -detail
PICTURES := throughput-echo-1kib latency-p99-echo-1kib rate-p99-rate-1kib percentiles-message-100-callers \
	cpu-client-echo-1kib-100-callers cpu-server-echo-1kib-100-callers

.PHONY: results
results: results-echo results-message results-rate results-pictures ## measure testdata/results and draw its pictures, 10 minutes on a quiet machine

.PHONY: results-echo
results-echo: build ## measure the part of testdata/results against concurrency
	$(KEEP)/echo.txt=bin/rpcbench.test -- $(KEPTRUN) -test.bench='^BenchmarkEcho$$' -test.benchtime=0.5s -conc=1,10,100,1000
	rm -f $(KEPT)/*.old

.PHONY: results-message
results-message: build ## measure the part of testdata/results that has records
	rm -rf $(KEPT)/records
	$(KEEP)/message.txt=bin/rpcbench.test -- $(KEPTRUN) -test.bench='^BenchmarkMessage$$' -test.benchtime=0.5s -conc=100 -results=$(KEPT)/records
	rm -f $(KEPT)/*.old

.PHONY: results-rate
results-rate: build ## measure the part of testdata/results against the offered rate
	$(KEEP)/rate.txt=bin/rpcbench.test -- $(KEPTRUN) -test.bench='^BenchmarkRate$$' -test.benchtime=0.5s -rate=2000,5000,10000,20000,30000,40000
	rm -f $(KEPT)/*.old

.PHONY: results-pictures
results-pictures: build ## draw the pictures of testdata/results anew
	bin/benchreport -hide tcp -results $(KEPT)/records -markdown $(KEPT)/tables.md -svg bin/pictures -o bin/report.html $(KEPT)/*.txt
	set -e; for p in $(PICTURES); do cp bin/pictures/$$p.svg bin/pictures/$$p-dark.svg $(KEPT)/; done

# The one file of others in the tree: that of the npm package, with its licences.
ECHARTS := 6.1.0

.PHONY: check-echarts
check-echarts: ## check that the tree's ECharts is that of npm, byte by byte; needs npm
	@mkdir -p bin/echarts && cd bin/echarts && npm pack --silent echarts@$(ECHARTS) && tar xzf echarts-$(ECHARTS).tgz
	@set -e; for f in dist/echarts.min.js LICENSE NOTICE licenses/LICENSE-d3; do \
		cmp bin/echarts/package/$$f cmd/benchreport/page/echarts/$$(basename $$f); done
	@echo "echarts is $(ECHARTS)"

.PHONY: build
build: tools ## build the benchmark binary and the commands into bin
	go test -c -o bin/rpcbench.test .
	go test -C codecs/adapters -c -o ../../bin/codecs.test .

.PHONY: tools
tools: ## build the commands into bin, benchstat too
	go build -C cmd -o ../bin/ ./... golang.org/x/perf/cmd/benchstat

# The benchmarks run once, so that they cannot rot: of the suites' sizes, rates
# and workloads one will do.
# Each search for a capacity takes a second even so.
SEARCH := ^Benchmark(Capacity|Load)$$
ONCE := go test -run='^$$' -bench=. -benchtime=1x
.PHONY: test
test: ## run all tests of all modules, and every benchmark once
	@set -e; for m in $(MODULES); do echo "== test $$m"; go -C $$m test -count=1 -timeout=20m ./...; done
	@echo "== benchmarks ."; $(ONCE) -skip='$(SEARCH)' . -size=1KiB -rate=1000 -workload=db -bulk=256KiB -transfers=2
	@go test -run='^$$' -bench='$(SEARCH)' -benchtime=1x . -set=recommended -size=1KiB -load=100
	@echo "== benchmarks frameworks/suite/example"; cd frameworks/suite/example && $(ONCE) . -size=1KiB -rate=1000
	@set -e; for m in loadgen loadgen/example codecs/adapters; do echo "== benchmarks $$m"; (cd $$m && $(ONCE) ./...); done

# What other repositories copy: the Makefiles of the examples do what they say.
.PHONY: check-examples
check-examples: ## run what others copy, out of the tree, with a release of HEAD
	.ci/examples

# Modules that others import or install. Each requires the others at the version
# of the release that they are part of.
RELEASED := loadgen frameworks/suite codecs/suite cmd
VERSION   = $(shell sed -n 's|.*/loadgen v|v|p' frameworks/suite/go.mod)
.PHONY: release
release: ## commit and tag VERSION, as v0.2.0, of all modules that others import; to be pushed with the tags
	@echo '$(VERSION)' | grep -qE '^v[0-9]+\.[0-9]+\.[0-9]+$$' || { echo "VERSION=$(VERSION) is none: it looks like v0.2.0"; exit 1; }
	@! git rev-parse -q --verify 'refs/tags/$(VERSION)' >/dev/null || { echo "VERSION=$(VERSION) is tagged already"; exit 1; }
	sed -i 's|\($(repo)/[a-z/]*\) v[0-9.]*$$|\1 $(VERSION)|' $$(git ls-files '*go.mod')
	git commit -q --allow-empty -m 'release $(VERSION)' $$(git ls-files '*go.mod')
	@$(MAKE) --no-print-directory tags

.PHONY: tags
tags: ## tag HEAD as the version that its modules require of each other
	git tag $(VERSION)
	@set -e; for m in $(RELEASED); do git tag $$m/$(VERSION); done

.PHONY: slurm-test
slurm-test: ## set up a Slurm of two nodes here, and count the calls that its agents make, 2 minutes
	go -C loadgen/example test -count=1 -timeout=15m -v -run='^TestSlurm$$' ./httpload -slurm

# Conformance of all variants takes the race detector half an hour.
RACESET ?= recommended
.PHONY: race
race: ## run the tests under the race detector, with the variants of RACESET, recommended or all; needs a C compiler
	@echo "== race ."; CGO_ENABLED=1 go test -race -count=1 -timeout=60m . -set=$(RACESET)
	@CGO_ENABLED=1 go test -race -count=1 -timeout=60m $$(go list ./... | tail -n +2)
	@set -e; for m in $(filter-out .,$(MODULES)); do echo "== race $$m"; CGO_ENABLED=1 go -C $$m test -race -count=1 -timeout=60m ./...; done

.PHONY: lint
lint: ## check formatting, vet, staticcheck and go.mod of all modules, and the workflows
	$(TOOL) actionlint -shellcheck= -pyflakes= $(wildcard .github/workflows/*.yml */example/bench.yml */*/example/bench.yml)
	@set -e; for m in $(MODULES); do \
		echo "== lint $$m"; \
		test -z "$$(cd $$m && $(TOOL) gofumpt -l . | tee /dev/stderr)"; \
		(cd $$m && go vet ./... && $(TOOL) staticcheck ./... && go mod tidy -diff); \
	done
	GOOS=darwin go -C loadgen vet ./...
	GOOS=darwin go -C frameworks/suite vet ./...
	GOOS=darwin go -C codecs/suite vet ./...

.PHONY: fmt
fmt: ## format all code
	$(TOOL) gofumpt -w .

# Generated code is committed: see check-generated.
repo     := github.com/rpcbench/rpcbench
goopt    := module=$(repo),Mbench.proto=$(repo)/codecs/rpc/protobuf;protobuf,Mecho.proto=$(repo)/codecs/rpc/protobuf;protobuf,Mbencher.proto=$(repo)/frameworks/grpc/internal/bencher;bencher,Mstreamer.proto=$(repo)/frameworks/grpc/internal/bencher;bencher
goopt    := $(goopt),Mbrpc.proto=$(repo)/frameworks/brpc/internal/meta;meta
protogen := go run -C cmd/tools ./protogen -I ../../testdata -out ../.. -opt '$(goopt)'
nested    = go run -C cmd/tools ./protogen -I ../../testdata -out ../.. -opt 'module=$(repo),Mbench.proto=$(repo)/frameworks/$(1)/internal/pb;pb,Mecho.proto=$(repo)/frameworks/$(1)/internal/pb;pb'
kitex    := go -C frameworks/kitex tool -modfile=$(CURDIR)/cmd/tools/go.mod kitex -no-dependency-check
# Thrift's own compiler is not a Go program. Without the version that made the
# committed code, as Debian's thrift-compiler has it, that code is left alone.
THRIFT     ?= thrift
THRIFTWANT := Thrift version 0.17.0
thriftout  := codecs/rpc/thrift

.PHONY: generate
generate: ## generate code from testdata/*.proto and *.thrift
	$(protogen) -plugin protoc-gen-go bench.proto echo.proto brpc.proto
	$(protogen) -plugin protoc-gen-go-grpc bencher.proto streamer.proto
	$(call nested,dubbo) -plugin protoc-gen-go bench.proto echo.proto
	$(call nested,motan) -plugin protoc-gen-go bench.proto echo.proto
	rm -rf frameworks/kitex/internal
	$(kitex) -gen-path internal/thrift ../../testdata/bench.thrift
	$(kitex) -gen-path internal/prutal -I ../../testdata ../../testdata/bencher.proto
	mkdir frameworks/kitex/internal/idl && cp testdata/bench.thrift frameworks/kitex/internal/idl
	rm frameworks/kitex/internal/*/bench/bencher/client.go frameworks/kitex/internal/*/bench/bencher/server.go
	@$(MAKE) --no-print-directory generate-thrift generate-codecs
	go test -c -o bin/rpcbench.test .
	sed -i '/^| framework /,$$d' frameworks/README.md
	bin/rpcbench.test -variants >> frameworks/README.md

# What needs a compiler that Go cannot bring is left as it is without it, or
# without the version that made it.
have       = command -v $(1) >/dev/null || { echo "no $(1): what it generates is left as it is"; exit 0; }
havethrift = [ "$$($(THRIFT) -version 2>/dev/null)" = "$(THRIFTWANT)" ] || { echo "no $(THRIFTWANT): what it generates is left as it is"; exit 0; }

.PHONY: generate-thrift
generate-thrift: ## generate Apache Thrift's code, by its own compiler
	@$(havethrift); $(THRIFT) -gen go:skip_remote -out $(thriftout) testdata/bench.thrift && \
	rm $(thriftout)/bench/GoUnusedProtection__.go $(thriftout)/bench/bench-consts.go && \
	$(TOOL) gofumpt -w $(thriftout)/bench/bench.go

# The serializers' code is below codecs/adapters/internal, where several share
# it, and next to those that generate methods for the messages' own structs.
adapters   := $(repo)/codecs/adapters/internal
codecopt   := module=$(repo),Mbench.proto=$(adapters)/pb;pb,Mcodecs.proto=$(adapters)/pb;pb
codecgen   := go run -C cmd/tools ./protogen -I ../../testdata -out ../..
codeckitex := go -C codecs/adapters tool -modfile=$(CURDIR)/cmd/tools/go.mod kitex -no-dependency-check
native     := s/^package messages/\/\/ Code generated from package messages. DO NOT EDIT.\n\n\/\/ Package native holds the messages for code generated beside them.\npackage native/

.PHONY: generate-codecs
generate-codecs: ## generate the serializers' code
	$(codecgen) -opt '$(codecopt)' -plugin protoc-gen-go bench.proto codecs.proto
	$(codecgen) -opt '$(codecopt),features=marshal+unmarshal+unmarshal_unsafe+size' -plugin protoc-gen-go-vtproto bench.proto codecs.proto
	$(codeckitex) -gen-path internal/kitex ../../testdata/codecs.thrift
	$(codeckitex) -gen-path internal/prutal -I ../../testdata ../../testdata/codecs.proto
	$(codeckitex) -gen-path internal/prutal -I ../../testdata ../../testdata/bench.proto
	@mkdir -p bin codecs/adapters/msgp/native codecs/adapters/easyjson/native codecs/adapters/capnp/schema
	sed '$(native)' codecs/suite/messages/types.go > codecs/adapters/msgp/native/types.go
	printf '\n//msgp:tag json\n' >> codecs/adapters/msgp/native/types.go
	cd codecs/adapters/msgp/native && $(TOOL) msgp -file types.go -o methods.go -io=false -tests=false
	sed '$(native)' codecs/suite/messages/types.go > codecs/adapters/easyjson/native/types.go
	go build -C cmd/tools -o ../../bin/ github.com/mailru/easyjson/easyjson capnproto.org/go/capnp/v3/capnpc-go
	cd codecs/adapters/easyjson/native && rm -f methods.go && $(CURDIR)/bin/easyjson -all -no_std_marshalers -output_filename methods.go types.go
	@$(havethrift); $(THRIFT) --gen go:package_prefix=$(adapters)/,skip_remote -out codecs/adapters/internal testdata/codecs.thrift
	@$(call have,flatc); flatc --go --gen-object-api -o codecs/adapters/internal testdata/codecs.fbs
	@$(call have,capnp); std=$$(go -C cmd/tools list -m -f '{{.Dir}}' capnproto.org/go/capnp/v3)/std; \
	capnp compile -I$$std --src-prefix=testdata -o- testdata/codecs.capnp > bin/codecs.capnp.request && \
	cd codecs/adapters/capnp/schema && $(CURDIR)/bin/capnpc-go < $(CURDIR)/bin/codecs.capnp.request
	@$(TOOL) gofumpt -w codecs/adapters

.PHONY: check-generated
check-generated: generate ## fail when generating changes the committed code
	@test -z "$$(git status --porcelain -- codecs frameworks | tee /dev/stderr)"

# Importers must not get our frameworks, nor more than 16 modules for loadgen.
.PHONY: check-imports
check-imports: ## check what those who import loadgen or suite take on
	@n=$$(go -C loadgen list -m all | wc -l); echo "importing loadgen: $$n modules in the graph"; test $$n -le 16
	@for m in loadgen frameworks/suite/example; do \
		if go -C $$m list -m all | grep -E '/(grpc|kitex|rpcx|arpc|nbio|connect|drpc|ttrpc|thrift|TarsGo|dubbo-go|motan-go)(/v[0-9]+)?( |$$)'; then echo "$$m: a framework is in its graph"; exit 1; fi; \
	done
	@if grep '^replace' cmd/go.mod; then echo "cmd: go install cannot install what has a replace"; exit 1; fi
	@n=$$(go -C codecs/suite list -m all | wc -l); echo "importing codecs/suite: $$n modules in the graph"; test $$n -le 16

.PHONY: clean
clean: ## remove what was built
	rm -rf bin
