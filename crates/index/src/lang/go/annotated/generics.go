package generics

// Number is a constraint.
type Number interface{ ~int | ~float64 }
//> interface Number vis=public end=0 doc="Number is a constraint."

// Sum adds all.
func Sum[T Number](xs ...T) (total T) {
//> function Sum vis=public cc=2 col=6 end=5 sig="func Sum[T Number](xs ...T) (total T)" doc="Sum adds all."
	for _, x := range xs {
		total += x
	}
	return total
}

func Map[K comparable, V, W any](in map[K]V, f func(K, V) W) map[K]W {
//> function Map vis=public cc=2 sig="func Map[K comparable, V, W any](in map[K]V, f func(K, V) W) map[K]W"
	out := make(map[K]W, len(in))
	for k, v := range in {
		out[k] = f(k, v)
	}
	return out
}

func Convert[
//> function Convert vis=public cc=1 end=5 sig="func Convert[From ~int | ~int64, To ~float64,](v From) To"
	From ~int | ~int64,
	To ~float64,
](v From) To {
	return To(v)
}

// Node is one link of a list.
type Node[T any] struct {
//> struct Node vis=public end=3 sig="type Node[T any] struct"
	value T
//> field Node.value vis=internal
	next  *Node[T]
//> field Node.next vis=internal sig="next *Node[T]"
}

func (n *Node[T]) Append(v T) *Node[T] {
//> method Node.Append vis=public cc=3 end=10
	if n == nil {
		return &Node[T]{value: v}
	}
	last := n
	for last.next != nil {
		last = last.next
	}
	last.next = &Node[T]{value: v}
	return n
}

func (n *Node[Elem]) First() (e Elem) { return n.value }
//> method Node.First vis=public cc=1 sig="func (n *Node[Elem]) First() (e Elem)"

type Tree[K Number, V any] struct {
//> struct Tree vis=public end=4
	Node[V]
//> field Tree.Node vis=public
	*Index[K, V]
//> field Tree.Index vis=public
	kids []*Tree[K, V]
//> field Tree.kids vis=internal
}

type Index[K comparable, V any] map[K][]V
//> type_alias Index vis=public sig="type Index[K comparable, V any] map[K][]V"

func (ix Index[K, V]) Put(k K, v V) { ix[k] = append(ix[k], v) }
//> method Index.Put vis=public cc=1

type Getter[K comparable, V any] interface {
//> interface Getter vis=public sig="type Getter[K comparable, V any] interface"
	Get(key K) (V, bool)
//> method Getter.Get vis=public sig="Get(key K) (V, bool)"
}

type Lookup[K comparable, V any] func(K) (V, bool)
//> type_alias Lookup vis=public

var total = Sum[int](1, 2, 3)
//> static total vis=internal sig="var total = Sum[int](1, 2, 3)"

var sumFloat = Sum[float64]
//> static sumFloat vis=internal
