package suite

import "reflect"

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
