# What layers add, for frameworks/layers.md: lines with layers beside those without.
LAYERS := -with=tls13,mtls,gzip,zstd,snappy,otel,tls13_otel -payload=compressible
layered = $(call measure,$(KEPT)/layers-$(1).txt,$(2)) -set=recommended -size=1KiB $(LAYERS) -test.bench='^Benchmark$(3)$$'
results-layers-echo results-layers-load results-layers-dial: FRAMEWORKS ?= $(filter-out brpc,$(local))

results-layers: $(addprefix results-layers-,echo dial load) ## what layers add, 70 minutes

results-layers-echo: ROUNDS ?= 12
results-layers-echo: bin/benchrounds ## measure its part of CPU and bytes, 30 minutes
	$(call layered,echo,0.3s,Echo) -conc=100
	$(call kept,layers-echo)

results-layers-dial: ROUNDS ?= 6
results-layers-dial: bin/benchrounds ## measure its part of new clients, 15 minutes
	$(call layered,dial,1s,Dial) -down=none
	$(call kept,layers-dial)

results-layers-load: ROUNDS ?= 2
results-layers-load: bin/benchrounds ## measure its part of p99 at half capacity, 25 minutes
	$(call layered,load,1s,Load) -load=50 -probe=1s
	$(call kept,layers-load)
