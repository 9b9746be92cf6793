package sort

type Interface interface {
	Len() int
	Less(i, j int) bool
	Swap(i, j int)
}

func Slice(x any, less func(i, j int) bool)              { less(0, 0) }
func SliceStable(x any, less func(i, j int) bool)        { less(0, 0) }
func SliceIsSorted(x any, less func(i, j int) bool) bool { return less(0, 0) }
func Search(n int, f func(int) bool) int                 { f(0); return 0 }
func Find(n int, cmp func(int) int) (int, bool)          { cmp(0); return 0, true }

func Sort(data Interface) {
	data.Len()
	data.Less(0, 0)
	data.Swap(0, 0)
}

func Stable(data Interface) {
	data.Len()
	data.Less(0, 0)
	data.Swap(0, 0)
}

func IsSorted(data Interface) bool {
	data.Len()
	return data.Less(0, 0)
}

func Reverse(data Interface) Interface { return data }
