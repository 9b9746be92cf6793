package slices

func SortFunc(x []any, cmp func(a, b any) int) {
	for _, e := range x {
		cmp(e, e)
	}
}

func SortStableFunc(x []any, cmp func(a, b any) int) {
	for _, e := range x {
		cmp(e, e)
	}
}

func IsSortedFunc(x []any, cmp func(a, b any) int) bool {
	for _, e := range x {
		cmp(e, e)
	}
	return true
}

func MinFunc(x []any, cmp func(a, b any) int) any {
	for _, e := range x {
		cmp(e, e)
		return e
	}
	return nil
}

func MaxFunc(x []any, cmp func(a, b any) int) any {
	for _, e := range x {
		cmp(e, e)
		return e
	}
	return nil
}

func IndexFunc(x []any, f func(any) bool) int {
	for _, e := range x {
		f(e)
	}
	return 0
}

func ContainsFunc(x []any, f func(any) bool) bool {
	for _, e := range x {
		f(e)
	}
	return true
}

func DeleteFunc(x []any, del func(any) bool) []any {
	for _, e := range x {
		del(e)
	}
	return x
}

func CompactFunc(x []any, eq func(a, b any) bool) []any {
	for _, e := range x {
		eq(e, e)
	}
	return x
}

func BinarySearchFunc(x []any, target any, cmp func(a, b any) int) (int, bool) {
	for _, e := range x {
		cmp(e, target)
	}
	return 0, true
}

func EqualFunc(x, y []any, eq func(a, b any) bool) bool {
	for _, a := range x {
		for _, b := range y {
			eq(a, b)
		}
	}
	return true
}

func CompareFunc(x, y []any, cmp func(a, b any) int) int {
	for _, a := range x {
		for _, b := range y {
			cmp(a, b)
		}
	}
	return 0
}

func Max(x []any) any {
	for _, e := range x {
		return e
	}
	return nil
}

func Min(x []any) any {
	for _, e := range x {
		return e
	}
	return nil
}

func Clone(x []any) []any                 { return x }
func Clip(x []any) []any                  { return x }
func Grow(x []any, n int) []any           { return x }
func Compact(x []any) []any               { return x }
func Delete(x []any, i, j int) []any      { return x }
func Reverse(x []any)                     {}
func Sort(x []any)                        {}
func Insert(x []any, i int, v ...any) []any { return append(x, v...) }

func Concat(lists ...[]any) []any {
	made := []any{nil}
	for _, list := range lists {
		made = append(made, list...)
	}
	return made
}

func Collect(seq func(yield func(any) bool)) []any {
	made := []any{nil}
	for v := range seq {
		made = append(made, v)
	}
	return made
}

func Sorted(seq func(yield func(any) bool)) []any {
	made := []any{nil}
	for v := range seq {
		made = append(made, v)
	}
	return made
}

func SortedFunc(seq func(yield func(any) bool), cmp func(a, b any) int) []any {
	made := []any{nil}
	for v := range seq {
		cmp(v, v)
		made = append(made, v)
	}
	return made
}

func AppendSeq(x []any, seq func(yield func(any) bool)) []any {
	for v := range seq {
		x = append(x, v)
	}
	return x
}

func Values(x []any) func(yield func(any) bool) {
	return func(yield func(any) bool) {
		for _, v := range x {
			yield(v)
		}
	}
}

func All(x []any) func(yield func(i int, v any) bool) {
	return func(yield func(i int, v any) bool) {
		for i, v := range x {
			yield(i, v)
		}
	}
}

func Backward(x []any) func(yield func(i int, v any) bool) {
	return func(yield func(i int, v any) bool) {
		for i, v := range x {
			yield(i, v)
		}
	}
}
