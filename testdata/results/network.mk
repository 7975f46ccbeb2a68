# Large transfers and networks, for frameworks/bulk.md and frameworks/network.md. A part has a
# file of its lines and of what it asks, with rounds, a time and frameworks of its own.
BULK := $(addprefix results/bulk/,modes sizes parallel memory)
NETS := $(addprefix results/network/,delays windows chunks brpc parallel iperf loss slow quic-one quic-ten)
QUIC := $(addprefix results/network/quic-,one ten)
results/bulk: $(BULK) # measure large transfers, 14 minutes
results/network: $(NETS) # measure networks, an hour

results/bulk/memory $(addprefix results/network/,delays windows loss slow): ROUNDS ?= 1
results/bulk/sizes results/network/parallel $(QUIC): ROUNDS ?= 3
$(BULK) $(NETS): ROUNDS ?= 2
results/bulk/memory: BENCHTIME ?= 1x
results/network/iperf: BENCHTIME ?= 1s
results/network/loss: BENCHTIME ?= 12000x
$(QUIC): BENCHTIME ?= 6000x
results/network/slow: BENCHTIME ?= 900x
results/network/slow: fail := - # calls that time out are its subject, and fail their case
$(BULK) $(NETS): BENCHTIME ?= 0.3s
results/bulk/sizes results/bulk/memory: FRAMEWORKS ?= grpc arpc tcp
results/network/windows: FRAMEWORKS ?= tcp grpc brpc connect kitex
results/network/chunks: FRAMEWORKS ?= brpc grpc tcp
results/network/brpc: FRAMEWORKS ?= brpc tcp
results/network/parallel: FRAMEWORKS ?= brpc grpc tcp
results/network/iperf: FRAMEWORKS ?= tcp
results/network/loss: FRAMEWORKS ?= kitex tcp grpc
results/network/slow: FRAMEWORKS ?= grpc arpc rpcx
$(QUIC): FRAMEWORKS ?= grpc http connect
$(BULK) $(NETS): FRAMEWORKS ?= $(local)

# Without the end of a name, profiles would be measured as well. connect's first is one.
moving = -test.bench='^BenchmarkBulk$$/./=($(1))$$/././=\S+$$|^BenchmarkBulk$$/=connect/=($(1))$$/././=\S+$$/=nogzip$$'
asking = -test.bench='^Benchmark$(1)'
# All transfers share one connection with -conns=1, but those of pools and of raw TCP's streams.
at-once = -transfers=1,2,4,8 -conns=1
results/bulk/modes:       asks = $(call asking,Bulk$$) -bulk=4MiB -transfers=1
results/bulk/sizes:       asks = $(call moving,bytes|attachment|stream|oneway) -bulk=256B,64KiB,1MiB,45MiB -transfers=1
results/bulk/parallel:    asks = $(call moving,bytes|attachment|stream) -bulk=4MiB $(at-once)
results/bulk/memory:      asks = $(call moving,bytes|stream) -bulk=256MiB -transfers=1 -test.benchmem
results/network/delays:   asks = $(call asking,Bulk$$/./=(bytes|stream|oneway)$$) -set=recommended -bulk=4MiB -transfers=1 \
	-net=none,delay-1ms,delay-10ms,delay-50ms
results/network/windows:  asks = $(call asking,Bulk$$/./=stream$$) -set=beside -bulk=8MiB -transfers=1 \
	-window=64KiB,1MiB,4MiB,32MiB -net=delay-10ms
results/network/chunks:   asks = $(call asking,Bulk$$/./=stream$$) -set=recommended -bulk=16MiB -transfers=1 \
	-chunk=8KiB,64KiB,1MiB -window=8MiB,32MiB -net=delay-1ms
results/network/brpc:     asks = $(call moving,bytes|attachment|stream) -bulk=64KiB,1MiB,4MiB,45MiB -transfers=1 \
	-net=none,delay-1ms,delay-10ms
results/network/parallel: asks = $(call moving,bytes|attachment|stream) -bulk=45MiB $(at-once) -net=delay-1ms
results/network/iperf:    asks = $(call moving,oneway) -bulk=64MiB $(at-once) -net=none,delay-1ms,delay-10ms
results/network/loss:     asks = $(call asking,Mix$$) -set=beside -conns=1 -mix=1KiB-96_64KiB-4 -mix-rate=2000 \
	-net=delay-5ms,delay-5ms_loss-0.1%,delay-5ms_loss-1%
# QUIC has TLS, and so have the rows beside it. One connection carries 0.8 MB/s even at 1 % of
# loss, under cubic as well: more would show what a congestion control makes of loss.
lossy = $(call asking,Mix$$/=(grpc|http)$$/=h2$$/=protobuf$$/././=tls13$$|^BenchmarkMix$$/=connect$$/=h2c$$/=protobuf$$/././=nogzip$$/=tls13$$|^BenchmarkMix$$/./=h3$$/=protobuf$$) \
	-with=tls13 -mix=1KiB-99_64KiB-1 -mix-rate=500 -net=delay-5ms,delay-5ms_loss-0.1%,delay-5ms_loss-1%
results/network/quic-one: asks = $(lossy) -conns=1
results/network/quic-ten: asks = $(lossy) -conns=10
results/network/slow:     asks = $(call asking,Rate$$) -set=recommended -references=false -size=16KiB -rate=60,75,90 \
	-net=rate-10mbit -call-timeout=200ms

$(BULK) $(NETS): bin/benchrounds
	@mkdir -p $(dir $(lines))
	$(fail)$(call measure,$(lines)) -detail $(asks)
	@$(call kept,$(@:results/%=%),# $@: $(asks))
$(BULK) $(NETS): lines = $(KEPT)/$(@:results/%=%).txt
