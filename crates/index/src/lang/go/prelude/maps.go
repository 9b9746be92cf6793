package maps

func Keys(m map[any]any) func(yield func(any) bool) {
	return func(yield func(any) bool) {
		for k := range m {
			yield(k)
		}
	}
}

func Values(m map[any]any) func(yield func(any) bool) {
	return func(yield func(any) bool) {
		for _, v := range m {
			yield(v)
		}
	}
}

func All(m map[any]any) func(yield func(k, v any) bool) {
	return func(yield func(k, v any) bool) {
		for k, v := range m {
			yield(k, v)
		}
	}
}

func Clone(m map[any]any) map[any]any { return m }

func Copy(dst, src map[any]any) {
	for k, v := range src {
		dst[k] = v
	}
}

func Collect(seq func(yield func(k, v any) bool)) map[any]any {
	made := map[any]any{}
	for k, v := range seq {
		made[k] = v
	}
	return made
}

func Insert(m map[any]any, seq func(yield func(k, v any) bool)) {
	for k, v := range seq {
		m[k] = v
	}
}

func DeleteFunc(m map[any]any, del func(k, v any) bool) {
	for k, v := range m {
		del(k, v)
	}
}

func EqualFunc(m1, m2 map[any]any, eq func(a, b any) bool) bool {
	for _, a := range m1 {
		for _, b := range m2 {
			eq(a, b)
		}
	}
	return true
}
