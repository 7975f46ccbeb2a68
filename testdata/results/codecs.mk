# A serializer's figures and verdicts are kept, and checked to be of its version:
# $(call keep,NAME,FILES), and the section of codecs/README.md that shows them.
keep    = { date -u '+date: %F'; cat $(2); } > codecs/adapters/testdata/$(1).txt
section = $(MAKE) --no-print-directory results/codecs && sed -n '/^\#\# $(1)/,/^\#\# /{/^[^\#]/p}' codecs/README.md

results/codecs: # codecs/README.md of its template and what is kept
	go test -C codecs/adapters -count=1 -run '^TestReadme$$' . -update

# Whether this machine is as fast and as steady as the one that the kept figures are of.
results/steady: ROUNDS := 10
results/steady: bin/benchrounds bin/codecs.test # compare this machine with that of what is kept, 20 seconds
	$(call rounds,bin/steady.txt=bin/codecs.test,0.3s) \
		-test.bench='^BenchmarkCodec$$/codec=hand$$/msg=bench/op=marshal_fresh$$'
	@go tool benchstat -table .name -ignore .config -filter '.unit:cpu-ns/op /codec:hand /msg:bench /op:marshal_fresh' \
		kept=codecs/adapters/testdata/figures.txt this=bin/steady.txt

results/codecs-speed: bin/benchrounds bin/codecs.test # measure all messages, 8 minutes
	$(call rounds,codecs.txt=bin/codecs.test) -test.bench='^BenchmarkCodec$$'
	$(call keep,figures,codecs.txt)
	@$(call section,Speed)

results/codecs-parallel: BENCHTIME ?= 0.1s
results/codecs-parallel: bin/benchrounds bin/codecs.test # measure six serializers with 1 and 2 procs, a minute
	$(call rounds,codecs-parallel.txt=bin/codecs.test) -test.cpu=1,2 \
		-test.bench='^BenchmarkParallel$$/codec=(hand|json|sonic|protobuf|vtproto|msgp)$$/msg=bench'
	$(call keep,parallel,codecs-parallel.txt)
	@$(call section,Parallel)

# CPU time is compared, by one caller: many share their system calls. The
# serializers come last, since frameworks print versions as well.
results/codecs-share: BENCHTIME ?= 0.2s
results/codecs-share: FRAMEWORKS := grpc rpcx netrpc
results/codecs-share: shared := codec=(protobuf|json|msgpack|gob)
results/codecs-share: bin/benchrounds bin/codecs.test # measure their share of an RPC, 2 minutes
	$(call measure,bench-share.txt) -conc=1 -test.bench='^BenchmarkMessage$$/./transport=(h2|tcp)$$/$(shared)$$'
	$(call rounds,codecs-share.txt=bin/codecs.test,0.1s) \
		-test.bench='^BenchmarkCodec$$/$(shared)$$/msg=bench/op=(marshal_fresh|unmarshal)$$'
	$(call keep,share,bench-share.txt codecs-share.txt)
	@$(call section,Share)

results/codecs-hostile: # give every decoder 1,200 broken inputs, a minute
	go test -C codecs/adapters -count=1 -run '^TestHostile$$' . -mutations=1200 -update
	@$(call section,Hostile)
