package main

import (
	"log"
	"os"
	"os/exec"
	"strings"
)

// thriftVersion is the one that made the committed code, Debian's.
const thriftVersion = "Thrift version 0.17.0"

// thrift runs Apache Thrift's compiler.
func (r repository) thrift() error {
	if version, _ := exec.Command("thrift", "-version").Output(); strings.TrimSpace(string(version)) != thriftVersion {
		log.Printf("no %s: what it generates is left as it is", thriftVersion)
		return nil
	}
	const framework = "codecs/rpc/thrift"
	if err := r.run(".", "thrift", "-gen", "go:skip_remote", "-out", framework, "testdata/bench.thrift"); err != nil {
		return err
	}
	for _, file := range []string{"GoUnusedProtection__.go", "bench-consts.go"} {
		if err := os.Remove(r.path(framework + "/bench/" + file)); err != nil {
			return err
		}
	}
	const codecs = "codecs/adapters/internal"
	return r.run(".", "thrift", "-gen", "go:package_prefix="+module+"/"+codecs+"/,skip_remote", "-out", codecs, "testdata/codecs.thrift")
}

// flatbuffers runs Google's compiler.
func (r repository) flatbuffers() error {
	if !have("flatc") {
		return nil
	}
	return r.run(".", "flatc", "--go", "--gen-object-api", "-o", "codecs/adapters/internal", "testdata/codecs.fbs")
}

// capnp runs Cap'n Proto's compiler with the plugin for Go, which finds it.
func (r repository) capnp() error {
	if !have("capnp") {
		return nil
	}
	list := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "capnproto.org/go/capnp/v3")
	list.Dir, list.Stderr = r.path("cmd/tools"), os.Stderr
	dir, err := list.Output()
	if err != nil {
		return err
	}
	std := strings.TrimSpace(string(dir)) + "/std"
	return r.run(".", "capnp", "compile", "-I"+std, "--src-prefix=testdata", "-o"+r.path("bin/capnpc-go")+":codecs/adapters/capnp/schema", "testdata/codecs.capnp")
}

// have reports whether there is a compiler, and says what happens without it.
func have(name string) bool {
	_, err := exec.LookPath(name)
	if err != nil {
		log.Printf("no %s: what it generates is left as it is", name)
	}
	return err == nil
}
