package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
)

// generator writes the components of a module. Its version is part of what is reproduced.
const generator = "github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0"

// componentsOf is the file with the components of a module.
func componentsOf(module, version string) string {
	return strings.ReplaceAll(module, "/", "-") + "-" + version + ".cdx.json"
}

// components writes the modules that any package of a module takes on any platform, and the
// licenses that are found in them.
func (t tree) components(module, file string) error {
	_, err := t.run(module, "go", "run", "-trimpath", "-ldflags=-s -w", generator, "mod", "-json", "-licenses", "-std",
		"-notimestamp", "-noserial", "-type=library", "-output="+file)
	return err
}

// bill is what is read of a file of components.
type bill struct {
	BOMFormat  string `json:"bomFormat"`
	Metadata   struct{ Component component }
	Components []component
}

type component struct{ Name, Version string }

// readBill reads the components of a module's version.
func readBill(file, module, version string) (versions map[string]string, err error) {
	var b bill
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &b)
	}
	if of := b.Metadata.Component; err == nil && (b.BOMFormat != "CycloneDX" || of.Name != repo+"/"+module || of.Version != version) {
		err = fmt.Errorf("it is the %s of %s %s", b.BOMFormat, of.Name, of.Version)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	versions = map[string]string{}
	for _, c := range b.Components {
		versions[c.Name] = c.Version
	}
	return versions, nil
}
