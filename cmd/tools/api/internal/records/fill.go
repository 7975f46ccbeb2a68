package records

import (
	"errors"
	"reflect"
	"time"

	"github.com/rpcbench/rpcbench/loadgen"
)

// fill gives each field of a result a value, and of the results of its parts, if it is the whole.
func fill(r *loadgen.Result, whole bool) {
	v := reflect.ValueOf(r).Elem()
	for i := range v.NumField() {
		if field := v.Type().Field(i); field.IsExported() && (whole || field.Name != "Parts") {
			set(v.Field(i))
		}
	}
}

// set gives a field a value that is not its zero, and a list one entry.
func set(v reflect.Value) {
	switch p := v.Addr().Interface().(type) {
	case *loadgen.Histogram:
		p.Record(time.Millisecond, 1_000_000)
		return
	case *[]error:
		*p = []error{errors.New("warning")}
		return
	case **loadgen.Result:
		*p = new(loadgen.Result)
		fill(*p, false)
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int64, reflect.Int:
		v.SetInt(1)
	case reflect.Float64:
		v.SetFloat(1)
	case reflect.String:
		v.SetString("text")
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		set(v.Index(0))
	case reflect.Struct:
		for i := range v.NumField() {
			set(v.Field(i))
		}
	}
}
