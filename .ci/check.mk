# Steps of .ci/run that are no targets of their own.
check/generated: # fail when generating changes what is committed
	go test -C cmd/tools -count=1 -run=Current ./generate
	@$(MAKE) --no-print-directory generate
	@! git status -s -- cmd codecs frameworks loadgen testdata/api | grep . || { echo 'commit that'; exit 1; }
check/examples: # run what others copy, out of the tree, with a release of it
	go test -C cmd -count=1 -timeout=30m -v -run=Release . -examples
check/slurm: # count the calls of agents and ranks in a Slurm, 4 minutes
	go run -C cmd/tools ./slurm make -C ../.. test/loadgen/cmd/load test/frameworks/machines HOW='-v -run=Slurm'
check/kernels: # servers and ranks on two virtual machines, a cable is pulled, 2 minutes
	RPCBENCH_KERNELS=yes $(MAKE) test/frameworks/machines HOW='-v -count=1 -timeout=20m -run=Kernels'
check/platforms: # vet what others import for the systems of CONTRIBUTING.md
	go run -C cmd ./internal/platforms
check/once: SEARCH := ^Benchmark(Capacity|Load)$$
check/once: ONCE   := go test -run='^$$' -bench=. -benchtime=1x
check/once: # every benchmark once, of the variants in SET
	$(ONCE) -skip='$(SEARCH)' . $(call q,-set=$(SET)) -size=1KiB -rate=1000 -workload=db \
		-bulk=256KiB -transfers=2 -idle=100
	go test -run='^$$' -bench='$(SEARCH)' -benchtime=1x . -set=recommended -size=1KiB -load=100
	cd frameworks/suite/example && $(ONCE) . -size=1KiB -rate=1000
	set -e; for m in loadgen loadgen/example codecs/suite/example codecs/adapters; do (cd $$m; $(ONCE) ./...); done
