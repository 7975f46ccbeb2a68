## results in the tree
# What layers add, for frameworks/layers.md: lines with layers beside those without. Frameworks
# without layers here are left out, and brpc, whose one layer is our own code. The transports
# of kitex and net/http that have others than the recommended ones come last.
LAYERS  := -with=tls13,mtls,gzip,zstd,snappy,otel,tls13_otel -payload=compressible
layered := results/layers-echo results/layers-dial
$(layered): FRAMEWORKS ?= $(filter-out brpc jrpc2 tars trpc zrpc,$(local) $(nested))
layers   = $(call measure,$(KEPT)/layers-$(1).txt) $(LAYERS) -detail -set=recommended -test.bench='^Benchmark$(2)$$'
others   = $(filter kitex http,$(known))
further  = $(if $(others),$(call rounds,-add $(others:%=$(KEPT)/layers-$(1).txt=bin/%.test)) \
	$(LAYERS) -detail -references=false -test.bench='^Benchmark$(2)$$/=(kitex|http)/=(grpc|h2)$$/=protobuf$$' $(3))

results/layers: $(layered) # measure what layers add, 25 minutes

results/layers-echo: ROUNDS ?= 6
results/layers-echo: PRECISION := -within=10 -most=12
results/layers-echo: BENCHTIME ?= 0.3s
results/layers-echo: bin/benchrounds # measure its part of CPU and bytes, 8 minutes
	$(call layers,echo,Echo) -size=1KiB -conc=100
	$(call further,echo,Echo,-size=1KiB -conc=100)
	$(call kept,layers-echo)

results/layers-dial: ROUNDS ?= 6
results/layers-dial: PRECISION := -within=10 -most=8 -unit=dial-ns,client-cpu-ns/op,server-cpu-ns/op
results/layers-dial: BENCHTIME ?= 500x
results/layers-dial: bin/benchrounds # measure its part of new clients, 15 minutes
	$(call layers,dial,Dial) -down=none
	$(call kept,layers-dial)
