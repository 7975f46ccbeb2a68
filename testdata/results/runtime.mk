# What PGO and settings of the collector are worth, for frameworks/runtime.md. A setting is a
# script that starts the plain binary with it, on both sides, and PGO a binary of its own. The plain
# binary is built once: rounds end where one is built again.
of      = $(frameworks:%=bin/%.$(1))
plain   = test -e bin/$*.$(1) || $(MAKE) -s bin/$*.$(1)
setting = @$(call plain,$(2)); printf '\#!/bin/sh\n%s exec "$${0%%.*}.%s" "$$@"\n' '$(1)' $(2) >$@ && chmod +x $@
$(call of,gogc200): bin/%.gogc200:
	$(call setting,GOGC=200,test)
$(call of,gogc400): bin/%.gogc400:
	$(call setting,GOGC=400,test)
$(call of,stacks): bin/%.stacks:
	$(call setting,GODEBUG=adaptivestackstart=1,test)
$(call of,limit): bin/%.limit:
	$(call setting,GOGC=off GOMEMLIMIT=64MiB,test)
$(call of,pgo-gogc400): bin/%.pgo-gogc400:
	$(call setting,GOGC=400,pgo)

# The profile is of a closed loop, of both sides. It is taken once.
$(call of,pprof): bin/%.pprof:
	$(call plain,test)
	bin/$*.test -test.run='^$$' -test.bench='^BenchmarkMessage$$' -test.benchtime=3s -set=protobuf -references=false \
		-conc=100 -test.cpuprofile=bin/$*.client.pprof -server-cpuprofile=bin/$*.server.pprof
	go tool pprof -proto -output=$@ bin/$*.client.pprof bin/$*.server.pprof
$(call of,pgo): bin/%.pgo: bin/%.pprof FORCE
	go test -C frameworks/$* -vet=off -c -o ../../$@ -pgo=$(call q,$(CURDIR)/$<) \
		-ldflags='-X $(repo)/frameworks/suite/internal/host/settings.profile=$(notdir $<)' .

results/runtime: FRAMEWORKS := grpc kitex rpcx connect
results/runtime: ROUNDS     := 10
results/runtime: BENCHTIME  := 0.7s
results/runtime: WAYS       := test pgo gogc200 gogc400 limit pgo-gogc400
results/runtime: bin/benchrounds # measure what PGO and GOGC are worth, 8 minutes
	$(call rounds,$(foreach f,$(FRAMEWORKS),$(WAYS:%=$(KEPT)/runtime.txt=bin/$f.%))) \
		-test.bench='^BenchmarkRate$$/./././msg=' -rate=10000 -wait=quiet -set=protobuf -references=false -detail
	$(call kept,runtime)

# Where the CPU time of a call goes, and what settings take away of it, for frameworks/ANATOMY.md.
results/anatomy: FRAMEWORKS := grpc kitex rpcx arpc netrpc
results/anatomy: ROUNDS     := 16
results/anatomy: WAYS       := test gogc400 stacks pgo
results/anatomy: WAY         = bin/anatomy-$(1).txt
results/anatomy: bin/benchrounds bin/benchanatomy # measure parts with four settings, 14 minutes
	rm -rf bin/anatomy
	$(call rounds,$(foreach f,$(FRAMEWORKS),$(foreach w,$(WAYS),$(call WAY,$w)=bin/$f.$w)),1s,$(foreach w,$(WAYS), \
		-only=$(call WAY,$w)=-anatomy=bin/anatomy/$w)) \
		-test.bench='^BenchmarkEcho$$' -set=recommended -references=false -size=1KiB -conc=100
	bin/benchanatomy -functions=5 bin/anatomy/test
	cp bin/anatomy/test/parts.txt $(KEPT)/anatomy.txt
	$(call kept,anatomy)
	for w in $(filter-out test,$(WAYS)); do echo "$$w"; bin/benchanatomy -base=bin/anatomy/test bin/anatomy/$$w; done
