# What PGO and settings of the collector are worth, for frameworks/runtime.md. A setting is a
# script that starts the plain binary with it, on both sides, and PGO a binary of its own.
of      = $(frameworks:%=bin/%.$(1))
setting = @printf '\#!/bin/sh\n%s exec "$${0%%.*}.%s" "$$@"\n' '$(1)' $(2) >$@ && chmod +x $@
$(call of,gogc200): bin/%.gogc200: bin/%.test
	$(call setting,GOGC=200,test)
$(call of,gogc400): bin/%.gogc400: bin/%.test
	$(call setting,GOGC=400,test)
$(call of,limit): bin/%.limit: bin/%.test
	$(call setting,GOGC=off GOMEMLIMIT=64MiB,test)
$(call of,pgo-gogc400): bin/%.pgo-gogc400: bin/%.pgo
	$(call setting,GOGC=400,pgo)

# The profile is of a closed loop, of both sides. It is taken once.
$(call of,pprof): bin/%.pprof: | bin/%.test
	bin/$*.test -test.run='^$$' -test.bench='^BenchmarkMessage$$' -test.benchtime=3s -set=protobuf -references=false \
		-conc=100 -test.cpuprofile=bin/$*.client.pprof -server-cpuprofile=bin/$*.server.pprof
	go tool pprof -proto -output=$@ bin/$*.client.pprof bin/$*.server.pprof
$(call of,pgo): bin/%.pgo: bin/%.pprof FORCE
	go test -C frameworks/$* -vet=off -c -o ../../$@ -pgo=$(call q,$(CURDIR)/$<) \
		-ldflags='-X $(repo)/frameworks/suite/host/settings.profile=$(notdir $<)' .

results/runtime: FRAMEWORKS := grpc kitex rpcx connect
results/runtime: ROUNDS     := 10
results/runtime: BENCHTIME  := 0.7s
results/runtime: WAYS       := test pgo gogc200 gogc400 limit pgo-gogc400
results/runtime: bin/benchrounds # measure what PGO and GOGC are worth, 8 minutes
	$(call rounds,$(foreach f,$(FRAMEWORKS),$(WAYS:%=$(KEPT)/runtime.txt=bin/$f.%))) \
		-test.bench='^BenchmarkRate$$/./././msg=' -rate=10000 -wait=quiet -set=protobuf -references=false -detail
	$(call kept,runtime)
