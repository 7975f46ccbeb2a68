# Lines, records of one benchmark, tables, pictures. Rounds go on until a document's figures are known to ±10 %.
KEPT     := testdata/results
measured := $(addprefix results/,echo message rate cost idle)
$(measured): BENCHTIME  ?= 0.5s
$(measured): FRAMEWORKS ?= $(local)
$(measured): ROUNDS     ?= 6
$(measured): PRECISION  := -within=10 -most=9
keeping   = $(call measure,$(KEPT)/$(1).txt,$(3)) -set=$(or $(2),beside) -size=1KiB -detail
kept      = f=$(KEPT)/$(1).txt; rm -f $$f.old; { date -u +'date: %F'; git log -1 --format='commit: %h' --abbrev=8; \
	$(if $(2),printf '%s\n' $(call q,$(2));) \
	awk '!/^\# skipped: -bench/ && !(/^Unit / && u[$$0]++)' $$f; } >bin/kept && mv bin/kept $$f

results/echo: bin/benchrounds # measure its part against concurrency
	$(call keeping,echo) -test.bench='^BenchmarkEcho$$' -conc=1,10,100,1000
	$(call kept,echo)

results/message: bin/benchrounds # measure its part that has records
	rm -rf $(KEPT)/records
	$(call keeping,message) -test.bench='^BenchmarkMessage$$' -conc=100 -results=$(KEPT)/records
	$(call kept,message)

results/rate: bin/benchrounds # measure its part against the offered rate
	$(call keeping,rate,protobuf,1s) -test.bench=^BenchmarkRate$$ -rate=5000,10000,20000,40000
	$(call kept,rate)

results/cost: bin/benchrounds # measure its part of CPU at an equal rate
	$(call keeping,costs/cost,protobuf,1s) -test.bench=^BenchmarkRate$$ -rate=5000,10000,20000,40000 -wait=quiet
	$(call kept,costs/cost)

results/count: # measure its part that counts
	@$(MAKE) --no-print-directory count $(call q,OUT=$(KEPT)/costs/count.txt)
	$(call kept,costs/count)

results/start: # measure its part of programs
	@$(MAKE) --no-print-directory footprint $(call q,OUT=$(KEPT)/costs/footprint.txt)
	$(call kept,costs/footprint)

# Four are measured with 1,000 and 50,000 as well. More rounds make memory exact, but never p99.
IDLE := /=(tcp|grpc|arpc)/=(conn|h2|net|nbio)$$/=(none|protobuf)$$/=\d+$$ /=kitex/=pool$$/=thrift$$/=\d+$$ \
	/./=(mux|grpc|tcp|baidu_std|socket)$$/=(none|protobuf|binary)$$/=10000$$ \
	/=tars/./=tars$$/=10000$$ /=connect/=h1$$/=protobuf$$/=10000$$/=nogzip$$
results/idle: PRECISION := -within=10 -most=8 -unit=client-rss-B/conn,server-rss-B/conn
results/idle: bin/benchrounds # measure its part of silent connections, 40 minutes
	$(call keeping,costs/idle,all) $(call q,-test.bench=$(subst $() /,|Idle/,Idle$(IDLE))) -idle=1000,10000,50000
	$(call kept,costs/idle)

# All of tables.md, and all of costs.md: a page is of one machine.
results/all: $(addprefix results/,steady echo message rate runtime layers anatomy pictures) # measure tables.md, 2 hours
results/costs: $(addprefix results/,count start idle cost pictures) # measure costs.md, an hour

results/pictures: bin/benchreport # write the tables and the picture of the documents anew
	bin/benchreport -results $(KEPT)/records -markdown $(KEPT)/tables.md -svg bin/pictures \
		-readme README.md $(KEPT)/*.txt
	bin/benchreport -markdown $(KEPT)/costs.md $(KEPT)/costs/*.txt
	cp bin/pictures/cpu-both-echo-1kib-100-callers*.svg bin/pictures/anatomy-echo-1kib-100-callers*.svg $(KEPT)/
