package main

import (
	"os"
	"slices"
	"testing"
)

// TestBenchesAreCurrent holds the bench_test.go of every framework to the template.
func TestBenchesAreCurrent(t *testing.T) {
	r := repository{"../../.."}
	all, err := r.measured()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range all {
		want, err := b.text()
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(r.path(b.Dir + "/bench_test.go"))
		if err != nil || string(got) != string(want) {
			t.Errorf("%s/bench_test.go is not that of cmd/tools/generate/bench_test.tmpl: run make generate", b.Dir)
		}
	}
	for _, want := range []bench{
		{"frameworks/arpc", "arpc", false, true, true},
		{"frameworks/tcp", "tcp", false, false, true},
		{"frameworks/dubbo", "dubbo", true, false, false},
		{"frameworks/nats", "nats", true, false, false},
		{"frameworks/grpc/frozen", "frozen", true, false, false},
		{"frameworks/kitex/frozen", "frozen", true, false, false},
		{"frameworks/rpcx/frozen", "frozen", true, false, false},
	} {
		if !slices.Contains(all, want) {
			t.Errorf("%+v is not in %+v", want, all)
		}
	}
}
