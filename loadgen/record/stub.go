package record

import (
	"encoding/json"
	"io"

	"github.com/rpcbench/rpcbench/loadgen"
)

func (r *Record) Encode(w io.Writer) error {
	response := &r.Result.Response
	r.Mean, r.Median, r.Max = response.Mean(), response.Quantile(.5), response.Max()
	return json.NewEncoder(w).Encode(r)
}

func WriteCSV(w io.Writer, r *loadgen.Result) error { return nil }
