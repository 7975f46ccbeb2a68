// Package site makes a static site of records of history: which release got slower or
// better, by how much, on which machine, and whether to believe it.
//
// The pages are files that open offline and fetch nothing but their style sheet beside
// them. They have no script. They are, by their names:
//
//   - index.html, the overview: what each framework's releases changed, then their steps, the
//     newest releases, the records, and what was left out;
//   - framework-NAME.html: the charts of the records that judge it, with their steps;
//   - benchmark-NAME.html: the frameworks beside each other, by machine;
//   - repository.html: records of commits, by date;
//   - record-NAME.html: a record's heading and steps, the charts of the frameworks that it
//     does not judge, and every value of every round.
//
// A framework is judged by the newest record of a machine that has enough rounds to find
// steps of times. A newer one that has not is listed, and does not hide what was found.
//
// Pages are 6,000 pixels high at most where a window is 1,200 wide, and open at once: what is
// longer is folded, and values of rounds are text, not cells of a table.
//
// Figures of two machines are in no chart and no comparison together. A machine is one
// processor, system, kernel and Go, with one number of procs, pin, and settings: where
// records differ in these, its name says them.
//
// A result is a case of a version. A site of 100 results, each with 20 rounds, weighs 3 MB
// at most, whatever their number of records.
//
// The pages say nothing of the time or place at which they were made, so the same records
// give the same bytes.
package site

import "cmp"

// Write writes the site into a directory, which is made if there is none. Pages of a site
// that was there before, and is no more, are removed; other files stay.
func Write(dir string, s Source) error {
	p, err := pagesOf(s)
	if err != nil {
		return err
	}
	return p.write(dir)
}

// pagesOf makes all pages.
func pagesOf(s Source) (pages, error) {
	w := newWorld(s)
	p := pages{"style.css": style}
	err := p.add("index.html", "overview.html", w.overview())
	for _, f := range w.frameworks {
		err = cmp.Or(err, p.add(f.Page, "framework.html", w.framework(f)))
	}
	for _, b := range w.benchmarks {
		err = cmp.Or(err, p.add(b.Page, "benchmark.html", w.benchmark(b)))
	}
	if w.ofCommits() {
		err = cmp.Or(err, p.add(repositoryPage, "repository.html", w.repository()))
	}
	for _, s := range w.studies {
		err = cmp.Or(err, p.add(s.Page, "record.html", w.record(s)))
	}
	return p, err
}
