// Package duplicate copies messages with all that they point to.
package duplicate

import "reflect"

// Of is a copy of what a pointer points to, and is a pointer of the same type.
func Of(pointer any) any {
	v := reflect.ValueOf(pointer)
	dst := reflect.New(v.Type().Elem())
	duplicate(dst.Elem(), v.Elem())
	return dst.Interface()
}

// Into sets what dst points to from what src points to, of the same type.
func Into(dst, src any) { duplicate(reflect.ValueOf(dst).Elem(), reflect.ValueOf(src).Elem()) }

// duplicate sets dst from src, which has the same type. What dst points to then is memory of
// its own, but for what fields point to that are not exported, as those of time.Time.
func duplicate(dst, src reflect.Value) {
	dst.Set(src)
	switch src.Kind() {
	case reflect.Pointer:
		if !src.IsNil() {
			dst.Set(reflect.New(src.Type().Elem()))
			duplicate(dst.Elem(), src.Elem())
		}
	case reflect.Interface:
		if !src.IsNil() {
			dst.Set(duplicated(src.Elem()))
		}
	case reflect.Struct:
		for i := range src.NumField() {
			if dst.Field(i).CanSet() {
				duplicate(dst.Field(i), src.Field(i))
			}
		}
	case reflect.Array:
		for i := range src.Len() {
			duplicate(dst.Index(i), src.Index(i))
		}
	case reflect.Slice:
		duplicateSlice(dst, src)
	case reflect.Map:
		duplicateMap(dst, src)
	}
}

func duplicated(src reflect.Value) reflect.Value {
	dst := reflect.New(src.Type()).Elem()
	duplicate(dst, src)
	return dst
}

func duplicateSlice(dst, src reflect.Value) {
	if src.IsNil() {
		return
	}
	dst.Set(reflect.MakeSlice(src.Type(), src.Len(), src.Len()))
	for i := range src.Len() {
		duplicate(dst.Index(i), src.Index(i))
	}
}

func duplicateMap(dst, src reflect.Value) {
	if src.IsNil() {
		return
	}
	dst.Set(reflect.MakeMapWithSize(src.Type(), src.Len()))
	for it := src.MapRange(); it.Next(); {
		dst.SetMapIndex(duplicated(it.Key()), duplicated(it.Value()))
	}
}
