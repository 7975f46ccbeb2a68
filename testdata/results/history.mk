# Records of history, and their site.
HISTORY ?= testdata/results/history
SITE    ?= site

# Each framework of the article in its version of 2021 and in today's. grpc comes first: the
# others are compared with it.
ARTICLE := google.golang.org/grpc@v1.39.0 google.golang.org/grpc@v1.85.0 \
	github.com/smallnest/rpcx@v1.6.5 github.com/smallnest/rpcx@v1.9.4 \
	github.com/cloudwego/kitex@v0.0.3 github.com/cloudwego/kitex@v0.16.3 \
	github.com/lesismal/arpc@v1.1.5 github.com/lesismal/arpc@v1.2.17
variants := /=\w+/=(h2|pool|mux|tcp|net|conn)$$/=(protobuf|none)$$
tail     := |^BenchmarkMessage$$/=kitex/=pool/=protobuf/=\d+$$/=idle10$$
results/article: ROUNDS    ?= 10
results/article: BENCHTIME ?= 0.3s
results/article: bin/benchhistory bin/benchreport # the comparison of 2021 anew, 20 min
	bin/benchhistory -dir $(call q,$(HISTORY)) -name article -versions $(call q,$(subst $() ,$(comma),$(ARTICLE))) \
		-also ./frameworks/netrpc -counts 0 -sizes 0 -rounds $(call q,$(ROUNDS)) -- \
		-test.bench='^BenchmarkMessage$$$(variants)/=\d+$$$(tail)|^BenchmarkEcho$$$(variants)/./=(100|1000)$$' \
		$(call q,-test.benchtime=$(BENCHTIME)) -size=1KiB -conc=100,1000,5000 -detail -references=false $(FLAGS)
	bin/benchreport -readme $(KEPT)/article.md "$$(ls $(call q,$(HISTORY))/article-*.txt | tail -n 1)"

# Which calls of many callers fail, by the article's kitex and today's, and what ten million take.
bin/kitex-frozen.test: FORCE
	go test -C frameworks/kitex/frozen -vet=off -c -o ../../../$@ .
results/callers: ROUNDS     ?= 1
results/callers: BENCHTIME  ?= 200000x
results/callers: FRAMEWORKS ?= kitex rpcx arpc
results/callers: bin/benchrounds # count failed calls, and make ten million calls each, 20 minutes
	mkdir -p $(KEPT)/callers
	$(call rounds,$(foreach f,kitex-frozen kitex,$(KEPT)/callers/failed.txt=bin/$f.test)) -references=false -detail \
		-test.bench='^BenchmarkMessage$$/=kitex/=(pool|mux)$$/=protobuf$$' -conc=2000,5000
	$(call measure,$(KEPT)/callers/ten-million.txt,$(CALLS)) -references=false -detail \
		-test.bench='^BenchmarkMessage$$/./=(pool|tcp|net)$$/=protobuf$$/=\d+$$' -conc=1000
	$(call kept,callers/failed)
	$(call kept,callers/ten-million)
results/callers: CALLS ?= 10000000x

# The commit of the last record, unless it is this one or git has it no more, and this one.
history/week: FRAMEWORKS ?= grpc kitex rpcx arpc
history/week: ROUNDS     ?= 40
history/week: BENCHTIME  ?= 0.1s
history/week: bin/benchhistory # add a record of the week and tell what changed, 30 minutes
	@past=$$(cat $(call q,$(HISTORY))/commits-*.txt 2>/dev/null | sed -n 's/^commit: //p' | tail -n 1); \
	case $$(git rev-parse -q --verify "$$past^{commit}") in ''|$$(git rev-parse HEAD)) past= ;; *) past=$$past, ;; esac; \
	bin/benchhistory -dir $(call q,$(HISTORY)) -commits "$${past}HEAD" -pkg $(pkgs) -rounds $(call q,$(ROUNDS)) -- \
		-test.bench='^Benchmark(Echo|Message)$$' $(call q,-test.benchtime=$(BENCHTIME)) \
		-set=recommended -size=1KiB -conc=100 -references=false $(FLAGS); code=$$?; \
	$(MAKE) --no-print-directory site && exit $$code

site: bin/benchreport # the site of the records in HISTORY, into SITE
	bin/benchreport -site $(call q,$(SITE)) $(call q,$(HISTORY))
