// Package page draws the report of benchreport: as one HTML file that needs nothing else, and
// as pictures in SVG.
//
// Charts are drawn by Apache ECharts. It is the one library, of those well
// kept, that draws the same chart in a browser and, without one, as SVG: here
// in goja, an interpreter of JavaScript in Go. So chart.js says once how a
// chart looks. uPlot and Chart.js draw on a canvas only, have no error bars,
// and gonum's plots cannot be switched in a page. We found no Go module that
// holds ECharts, so its file, unmodified, is in the directory echarts, with
// its licence. Its smaller builds cannot keep labels apart.
package page

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"html/template"
	"io"
	"strings"

	"github.com/rpcbench/rpcbench/cmd/benchreport/figure"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/ranking"
)

var (
	//go:embed echarts/echarts.min.js
	library string
	//go:embed chart.js
	charts string
	//go:embed page.js
	script string
	//go:embed page.css
	style string
	//go:embed page.html
	html string

	page = template.Must(template.New("page").Funcs(template.FuncMap{"groups": groups}).Parse(html))
)

// HTML writes the report as one file. It fetches nothing: its policy forbids
// browsers to, and to run any script but those written here.
func HTML(w io.Writer, title string, r *figure.Report) error {
	data, err := pack(r)
	if err != nil {
		return err
	}
	scripts := []template.JS{template.JS(library), template.JS(charts + script)}
	return page.Execute(w, map[string]any{
		"Title":   title,
		"Report":  r,
		"Policy":  policy(scripts),
		"Style":   template.CSS(style),
		"Data":    template.HTML(data), // base64
		"Scripts": scripts,
	})
}

// group is neighbouring columns that have a head in common.
type group struct {
	Name string
	Span int
}

// groups joins neighbouring columns of one group; none if no column is in one.
func groups(columns []ranking.Column) (list []group) {
	named := false
	for _, c := range columns {
		named = named || c.Group != ""
		if n := len(list); n > 0 && c.Group != "" && list[n-1].Name == c.Group {
			list[n-1].Span++
			continue
		}
		list = append(list, group{c.Group, 1})
	}
	if !named {
		return nil
	}
	return list
}

// pack is what page.js unpacks: JSON of thousands of lines, a tenth as long.
func pack(r *figure.Report) (string, error) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	err := errors.Join(json.NewEncoder(z).Encode(r), z.Close())
	return base64.StdEncoding.EncodeToString(packed.Bytes()), err
}

func policy(scripts []template.JS) string {
	sources := []string{"default-src 'none'; style-src 'unsafe-inline'; script-src"}
	for _, s := range scripts {
		sum := sha256.Sum256([]byte(s))
		sources = append(sources, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
	}
	return strings.Join(sources, " ")
}
