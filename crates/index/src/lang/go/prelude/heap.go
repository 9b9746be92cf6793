package heap

type Interface interface {
	Len() int
	Less(i, j int) bool
	Swap(i, j int)
	Push(x any)
	Pop() any
}

func Init(h Interface) {
	h.Len()
	h.Less(0, 0)
	h.Swap(0, 0)
}

func Push(h Interface, x any) {
	h.Push(x)
	h.Len()
	h.Less(0, 0)
	h.Swap(0, 0)
}

func Pop(h Interface) any {
	h.Len()
	h.Less(0, 0)
	h.Swap(0, 0)
	return h.Pop()
}

func Remove(h Interface, i int) any {
	h.Len()
	h.Less(0, 0)
	h.Swap(0, 0)
	return h.Pop()
}

func Fix(h Interface, i int) {
	h.Len()
	h.Less(0, 0)
	h.Swap(0, 0)
}
