package suite

import (
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// Convert sets the struct that dst points to from the one src points to, field
// by field, by their names in lower case without underscores, since generators
// differ in both. It copies all memory, and makes empty slices and maps nil, since
// formats differ in which of them they tell apart.
func Convert(dst, src any) error {
	return convertStruct(reflect.ValueOf(dst).Elem(), reflect.ValueOf(src).Elem())
}

func convertStruct(dst, src reflect.Value) error {
	pairs, err := pairsOf(dst.Type(), src.Type())
	if err != nil {
		return err
	}
	for _, p := range pairs {
		if err := convertValue(dst.Field(p.dst), src.Field(p.src)); err != nil {
			return fmt.Errorf("%s: %w", dst.Type().Field(p.dst).Name, err)
		}
	}
	return nil
}

// pair is a field of two structs.
type pair struct{ dst, src int }

// known keeps the pairs of two types, since finding them is slow.
var known sync.Map

// pairsOf pairs the fields of the struct that has fewer with those of the other, which
// may have generated ones.
func pairsOf(dst, src reflect.Type) ([]pair, error) {
	key := [2]reflect.Type{dst, src}
	if pairs, ok := known.Load(key); ok {
		return pairs.([]pair), nil
	}
	from, to := fieldsOf(src), fieldsOf(dst)
	fewer := from
	if len(to) < len(from) {
		fewer = to
	}
	var pairs []pair
	for name := range fewer {
		f, ok := from[name]
		t, ok2 := to[name]
		if !ok || !ok2 {
			return nil, fmt.Errorf("%v and %v: not both have %s", src, dst, name)
		}
		pairs = append(pairs, pair{t, f})
	}
	known.Store(key, pairs)
	return pairs, nil
}

// fieldsOf indexes the fields of a struct by their names.
func fieldsOf(t reflect.Type) map[string]int {
	fields := map[string]int{}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && !strings.HasPrefix(f.Name, "XXX_") {
			fields[strings.ToLower(strings.ReplaceAll(f.Name, "_", ""))] = i
		}
	}
	return fields
}

func convertValue(dst, src reflect.Value) error {
	switch {
	case src.Kind() == reflect.Pointer && src.IsNil():
		return nil
	case src.Kind() == reflect.Pointer:
		return convertValue(dst, src.Elem())
	case dst.Kind() == reflect.Pointer:
		dst.Set(reflect.New(dst.Type().Elem()))
		return convertValue(dst.Elem(), src)
	case src.Kind() == reflect.Struct && dst.Kind() == reflect.Struct:
		return convertStruct(dst, src)
	case src.Kind() == reflect.Slice && dst.Kind() == reflect.Slice:
		return convertSlice(dst, src)
	case src.Kind() == reflect.Map && dst.Kind() == reflect.Map:
		return convertMap(dst, src)
	case src.Kind() == reflect.String && dst.Kind() == reflect.String:
		dst.SetString(strings.Clone(src.String()))
	case src.Kind() == reflect.Bool && dst.Kind() == reflect.Bool:
		dst.SetBool(src.Bool())
	case src.CanFloat() && dst.CanFloat():
		dst.SetFloat(src.Float())
	case src.CanInt() && dst.CanInt():
		dst.SetInt(src.Int())
	case src.CanUint() && dst.CanUint():
		dst.SetUint(src.Uint())
	case src.CanUint() && dst.CanInt(): // Thrift has no unsigned integers
		dst.SetInt(int64(src.Uint()))
	case src.CanInt() && dst.CanUint():
		dst.SetUint(uint64(src.Int()))
	default:
		return fmt.Errorf("cannot convert %v to %v", src.Type(), dst.Type())
	}
	return nil
}

func convertSlice(dst, src reflect.Value) error {
	if src.Len() == 0 {
		return nil
	}
	dst.Set(reflect.MakeSlice(dst.Type(), src.Len(), src.Len()))
	if k := src.Type().Elem().Kind(); src.Type().Elem() == dst.Type().Elem() && (k == reflect.Uint8 || k == reflect.Uint64) {
		reflect.Copy(dst, src)
		return nil
	}
	for i := range src.Len() {
		if err := convertValue(dst.Index(i), src.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

func convertMap(dst, src reflect.Value) error {
	if src.Len() == 0 {
		return nil
	}
	dst.Set(reflect.MakeMap(dst.Type()))
	for it := src.MapRange(); it.Next(); {
		value := reflect.New(dst.Type().Elem()).Elem()
		if err := convertValue(value, it.Value()); err != nil {
			return err
		}
		dst.SetMapIndex(reflect.ValueOf(strings.Clone(it.Key().String())), value)
	}
	return nil
}
