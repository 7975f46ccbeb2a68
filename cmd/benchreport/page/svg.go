package page

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/dop251/goja"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure"
	"github.com/rpcbench/rpcbench/cmd/benchreport/figure/chart"
	"github.com/rpcbench/rpcbench/cmd/benchreport/whole"
	"github.com/rpcbench/rpcbench/cmd/internal/portable"
)

// drawing is the script that draws one chart. ECharts asks for setTimeout to
// animate, which a picture is not.
const drawing = `
function draw(json) {
	const {chart, unit, state} = JSON.parse(json);
	const size = {width: state.width, height: charts.height(chart, state)};
	const drawn = echarts.init(null, null, Object.assign({renderer: "svg", ssr: true}, size));
	drawn.setOption(charts.option(chart, unit, state));
	const svg = drawn.renderToSVGString();
	drawn.dispose();
	return svg;
}`

// SVG writes all charts into a directory, which is made if need be, each as
// NAME.svg and for dark backgrounds NAME-dark.svg. Pictures have no switches, so they
// leave out what stands beside a ranked series.
func SVG(dir string, r *figure.Report) error {
	draw, err := newDrawer()
	if err == nil {
		err = os.MkdirAll(dir, 0o777)
	}
	if err != nil {
		return err
	}
	taken := fileNames{}
	for _, s := range r.Sections {
		for _, f := range s.Figures {
			for i, c := range f.Charts {
				c = c.WithoutBeside()
				if !slices.ContainsFunc(c.Series, func(s chart.Series) bool { return !slices.Contains(r.Hidden, s.Framework) }) {
					continue
				}
				name := taken.next(f.ID, s.Panels[i].Name)
				if err := draw.both(filepath.Join(dir, name), c, f.Unit, pictureOf(r, s, f, i)); err != nil {
					return fmt.Errorf("%s: %w", name, err)
				}
			}
		}
	}
	return nil
}

// state is what chart.js draws by.
type state struct {
	Frameworks []string        `json:"frameworks"`
	Ranks      []string        `json:"ranks"`
	Hidden     map[string]bool `json:"hidden"`
	Dark       bool            `json:"dark"`
	Log        bool            `json:"log"`
	Width      int             `json:"width"`
	Title      string          `json:"title"`
	Subtitle   string          `json:"subtitle"`
}

func pictureOf(r *figure.Report, s chart.Section, f chart.Figure, panel int) state {
	title, drawn := s.Title, f.Charts[panel]
	if len(s.Figures) > 1 {
		title += ": " + f.Title
	}
	if !drawn.Bars && drawn.Scale != "percentile" {
		title += " against " + drawn.X
	}
	p := state{Frameworks: r.Frameworks, Ranks: r.Ranks, Hidden: map[string]bool{}, Log: true, Width: 860, Title: title, Subtitle: s.Panels[panel].String()}
	if n := drawn.Rounds; n > 1 && s.ID != "percentiles" {
		p.Subtitle += fmt.Sprintf("; %d rounds", n)
	}
	for _, name := range r.Hidden {
		if slices.ContainsFunc(drawn.Series, func(s chart.Series) bool { return s.Framework == name }) {
			p.Subtitle += "; without " + name
		}
		p.Hidden[name] = true
	}
	for _, f := range r.Measured {
		switch f.Key {
		case "commit":
			p.Subtitle += "; commit " + f.Value
		case "cpu", "date":
			p.Subtitle += "; " + f.Value
		}
	}
	return p
}

var unfit = regexp.MustCompile(`[^a-z0-9.]+`)

// fileNames are the names of pictures that are taken.
type fileNames map[string]bool

// next is a name for the pictures of a panel. It is in small letters, so that no two are the
// same to any system, and two panels that differ in what no name has get numbers.
func (n fileNames) next(id, panel string) string {
	const dark, number = "-dark.svg", "-123456"
	name := strings.Trim(unfit.ReplaceAllString(strings.ToLower(id+"-"+panel), "-"), "-")
	name = portable.Name(name, portable.Most-len(number+dark))
	unique := name
	for i := 2; n[unique] || n[unique+"-dark"] || n[strings.TrimSuffix(unique, "-dark")]; i++ {
		unique = fmt.Sprintf("%s-%d", name, i)
	}
	n[unique] = true
	return unique
}

// drawer is an interpreter with ECharts.
type drawer struct {
	vm   *goja.Runtime
	draw goja.Callable
}

func newDrawer() (*drawer, error) {
	vm := goja.New()
	if err := vm.Set("setTimeout", func() {}); err != nil {
		return nil, err
	}
	for _, source := range []string{library, charts, drawing} {
		if _, err := vm.RunString(source); err != nil {
			return nil, err
		}
	}
	draw, ok := goja.AssertFunction(vm.Get("draw"))
	if !ok {
		return nil, errors.New("draw is no function")
	}
	return &drawer{vm, draw}, nil
}

// both writes a picture for light and for dark backgrounds.
func (d *drawer) both(path string, c chart.Chart, unit string, s state) error {
	err := d.write(path+".svg", c, unit, s)
	s.Dark = true
	return cmp.Or(err, d.write(path+"-dark.svg", c, unit, s))
}

func (d *drawer) write(path string, c chart.Chart, unit string, s state) error {
	order, err := json.Marshal(map[string]any{"chart": c, "unit": unit, "state": s})
	if err != nil {
		return err
	}
	svg, err := d.draw(goja.Undefined(), d.vm.ToValue(string(order)))
	if err != nil {
		return err
	}
	return whole.Write(path, func(w io.Writer) error { _, err := io.WriteString(w, svg.String()+"\n"); return err })
}
