package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"google.golang.org/protobuf/reflect/protodesc"
)

func TestOption(t *testing.T) {
	p := packages{"b.proto": "frameworks/b/internal/pb", "a.proto": "codecs/a"}
	want := "module=github.com/rpcbench/rpcbench," +
		"Ma.proto=github.com/rpcbench/rpcbench/codecs/a;a,Mb.proto=github.com/rpcbench/rpcbench/frameworks/b/internal/pb;pb"
	if got := p.option(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestCompileListsImportsFirst(t *testing.T) {
	files, err := compile("../../../testdata", []string{"bencher.proto"})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.GetName())
	}
	if got, want := strings.Join(names, " "), "bench.proto echo.proto bencher.proto"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if _, err := compile("../../../testdata", []string{"none.proto"}); err == nil {
		t.Error("a file that there is not compiles")
	}
}

// TestCopies finds messages of one file in two packages, of which one is lazy.
func TestCopies(t *testing.T) {
	for _, c := range []struct {
		file, from string
		lazy       bool
	}{
		{"codecs.proto", "rpcbench.", false},
		{"opaque/codecs.proto", "rpcbench.opaque.", false},
		{"lazy/codecs.proto", "rpcbench.lazy.", true},
	} {
		files, err := compile("../../../testdata", []string{c.file})
		if err != nil {
			t.Fatal(err)
		}
		file, err := protodesc.NewFile(files[0], nil)
		if err != nil {
			t.Fatal(err)
		}
		m := file.Messages().ByName("Large")
		items := protodesc.ToFieldDescriptorProto(m.Fields().ByName("items"))
		if string(m.FullName()) != c.from+"Large" || items.GetOptions().GetLazy() != c.lazy {
			t.Errorf("%s: %s, lazy %v", c.file, m.FullName(), items.GetOptions().GetLazy())
		}
	}
	if _, err := compile("../../../testdata", []string{"opaque/none.proto"}); err == nil {
		t.Error("a copy of a file that there is not compiles")
	}
}

// TestWithoutCompilers leaves what they make as it is.
func TestWithoutCompilers(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	r := repository{t.TempDir()}
	for name, step := range map[string]func() error{"thrift": r.thrift, "flatc": r.flatbuffers, "capnp": r.capnp} {
		if err := step(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if left, err := os.ReadDir(r.root); err != nil || len(left) > 0 {
		t.Errorf("%v, %v, want nothing", left, err)
	}
}

// TestAnotherThrift makes other code than the committed: it is not used either.
func TestAnotherThrift(t *testing.T) {
	bin := t.TempDir()
	t.Setenv("PATH", bin)
	script := "#!/bin/sh\necho Thrift version 0.16.0\n[ $# = 1 ]\n"
	if err := os.WriteFile(filepath.Join(bin, "thrift"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := (repository{t.TempDir()}).thrift(); err != nil {
		t.Error(err)
	}
}

func TestNative(t *testing.T) {
	got := native("// Package messages has them.\npackage messages\n\ntype A struct{}\n")
	for _, want := range []string{"DO NOT EDIT.\n\n", "\npackage native\n\ntype A struct{}\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q has no %q", got, want)
		}
	}
}
