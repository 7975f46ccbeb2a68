# What of a framework is one of its parts: the poller, for frameworks/COSTS.md, and the middlewares
# of zRPC, for frameworks/layers.md.
POLLERS := /=(gnet|netpoll|nbio|tcp|arpc|kitex)$$/=(conn|net|nbio|pool)$$/=(none|protobuf)$$
results/pollers: FRAMEWORKS ?= tcp gnet netpoll nbio arpc kitex
results/pollers: ROUNDS     ?= 2
results/pollers: BENCHTIME  ?= 0.5s
results/pollers: bin/benchrounds # measure frameworks beside their pollers, 40 minutes
	mkdir -p $(KEPT)/pollers
	$(call measure,$(KEPT)/pollers/idle.txt) -set=all -idle=10,1000,18000 -active=10,1000 \
		$(call q,-test.bench=^BenchmarkIdle$$$(POLLERS)/=\d+$$/active=)
	$(call measure,$(KEPT)/pollers/echo.txt) -set=all -size=1KiB -conc=10,100,1000 \
		$(call q,-test.bench=^BenchmarkEcho$$$(POLLERS)/./=\d+$$)

results/zrpc: ROUNDS    ?= 6
results/zrpc: BENCHTIME ?= 0.3s
results/zrpc: bin/benchrounds # measure middlewares one by one, 2 minutes
	$(call rounds,$(KEPT)/traffic/zrpc.txt=bin/grpc.test $(KEPT)/traffic/zrpc.txt=bin/zrpc.test) -references=false \
		-detail -set=beside -test.bench='^BenchmarkEcho$$/./=h2$$/=protobuf$$' -size=1KiB -conc=100
