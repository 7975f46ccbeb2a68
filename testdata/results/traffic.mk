# Which traffic changes the order of frameworks, see frameworks/traffic.md. A file has lines with
# a change and without, unless both have the same names. Who lacks something is left out of it.
results/traffic: FRAMEWORKS ?= grpc kitex rpcx arpc connect http drpc thrift ttrpc netrpc
results/traffic: ROUNDS     ?= 6
results/traffic: BENCHTIME  ?= 0.25s
sending  = $(filter-out $(4),$(known))
traffic  = $(if $(sending),$(call rounds,$(sending:%=$(KEPT)/traffic/$(1).txt=bin/%.test),$(3)),:) \
	$(flags) -set=recommended -test.bench='^Benchmark$(2)'
sleeping = $(call traffic,sleep-$(1),Workload$$) -workload=sleep -conc=100
nagle    = $(call traffic,nodelay-$(1),$(2)$$/./transport=net$$/codec=protobuf,,$(filter-out arpc,$(known))) -set=all
results/traffic: bin/benchrounds # measure metadata, sizes, handler times and so on, 25 minutes
	$(call traffic,metadata,Echo$$,,arpc drpc thrift ttrpc netrpc) -size=1KiB -conc=100 -metadata=0,20,20-fresh
	$(call traffic,chain,Echo$$,,arpc drpc netrpc) -size=64B -conc=100 -chain=0,1,5
	$(call traffic,sizes,Echo$$) -size=6899B,mix:64B-60_1KiB-30_64KiB-10 -conc=100
	$(call traffic,message,Message$$,,http thrift netrpc) -conc=100 -set=protobuf
	$(call traffic,large,Message$$,,http thrift netrpc) -conc=100 -set=protobuf -msg=large
	$(call sleeping,one) -sleep=515us
	$(call sleeping,mix) -sleep=150us:90_2ms:9_20ms:1
	$(call traffic,stream,Stream$$/./././././mode=(oneway|server|fanout),,kitex rpcx http thrift netrpc) -size=1KiB -conc=10
	$(call traffic,steps,Rate$$) -size=1KiB -rate=2000,8000,2000@2s
	$(call nagle,steps,Rate) -size=1KiB -rate=2000,8000,2000@2s
	$(call nagle,sizes,Echo) -size=mix:64B-60_1KiB-30_64KiB-10 -conc=100
	$(call traffic,cluster,Cluster$$,2s,connect http drpc thrift ttrpc) -servers=4 -slow=1:10x -policy=all
	$(call traffic,failing,Cluster$$,4s,connect http drpc thrift ttrpc) -servers=4 -slow=1:dead,1:back:2s -policy=all
