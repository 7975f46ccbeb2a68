# What .ci/run leaves out for being long: see README.md.
thorough/diff: # see that bench-diff finds a planted slowdown, 5 minutes
	go test -C cmd/benchdiff -count=1 -timeout=40m -v -run='^TestPlanted$$' . -planted
thorough/history: # see that planted steps are found, and no others, 30 minutes
	go test -C cmd/benchhistory -count=1 -timeout=2h -v -run='Planted|Null' . -planted
thorough/advisories: # code that is called and has unknown advisories, 5 minutes
	+@$(call each,$(filter-out %/frozen,$(MODULES)))
thorough/advisories/%:
	@go run -C cmd ./internal/advisories $(call q,$(abspath $*)) $(TOOL) govulncheck
thorough/seeds: # simulations with many seeds, ends of runs, 25 minutes
	go test -C loadgen -count=1 -timeout=60m . -coverage=100 -configurations=600 -stops=3
	go test -C loadgen/capacity -count=1 -timeout=60m . -searches=20
	go test -C frameworks/suite -count=1 -run='Moments|ManyRanks|NoRun' . -ends=200 -crowds
	go test -C cmd/benchdiff/verdict -count=1 -run=Tables . -tables
	go test -C cmd/internal/history -count=1 -timeout=60m -run=RatesOf . -histories=1000
thorough/once: ; @$(MAKE) check/once SET=all
thorough/storms: # all garbage and faults of TestStorms, 10 minutes
	set -e; for f in $(frameworks); do go test -C frameworks/$$f -timeout=1h -run='Faults|Storms' . -storms; done
thorough/commands: # every command of the documents, 30 minutes
	go test -count=1 -timeout=2h -run='^TestCommands$$' . -commands=all
thorough/race: ; @$(MAKE) race SHORT= SET=all RACED='codecs $(MODULES:.=frameworks)'
thorough/arm64: # tests compiled for linux/arm64, which qemu-user emulates, 60 minutes
	go run -C cmd/tools ./arm64
thorough/mutants: # plant faults, fail if tests miss more than a few, 3 hours
	go run -C cmd/tools ./mutants $(call qs,$(or $(MUTANTS),-n=120 -most=6)) ../..
