package types

import (
	"fmt"
//> import fmt from fmt -
	"io"
//> import io from io -
	"sync"
//> import sync from sync -
)

// Base is embedded below.
type Base struct {
//> struct Base vis=public end=5 doc="Base is embedded below."
	// ID is unique. Do not reuse it.
	ID int64 `json:"id"`
//> field Base.ID vis=public col=2 sig="ID int64 `json:"id"`" doc="ID is unique."
	Name string `json:"name,omitempty" db:"nm"`
//> field Base.Name vis=public
	note string // a trailing remark
//> field Base.note vis=internal sig="note string"
}

type Empty struct{}
//> struct Empty vis=public end=0 sig="type Empty struct"

type Pair[K comparable, V any] struct {
//> struct Pair vis=public sig="type Pair[K comparable, V any] struct"
	Key K
//> field Pair.Key vis=public
	Value V
//> field Pair.Value vis=public
}

// Derived embeds in every way.
type Derived struct {
//> struct Derived vis=public end=14
	Base
//> field Derived.Base vis=public col=2
	*Empty
//> field Derived.Empty vis=public
	sync.Mutex
//> field Derived.Mutex vis=public
	*io.PipeReader
//> field Derived.PipeReader vis=public
	Pair[string, int]
//> field Derived.Pair vis=public
	fmt.Stringer `json:"-"`
//> field Derived.Stringer vis=public
	lower
//> field Derived.lower vis=internal

	X, Y, z int
//> field Derived.X vis=public col=2
//> field Derived.Y vis=public col=5
//> field Derived.z vis=internal col=8
	_ [0]func()
	hook func(kind string) error
//> field Derived.hook vis=internal sig="hook func(kind string) error"
	ch   chan<- struct{}
//> field Derived.ch vis=internal
	m    map[string][]*Base
//> field Derived.m vis=internal
}

type lower struct{ a, b int }
//> struct lower vis=internal
//> field lower.a vis=internal
//> field lower.b vis=internal

// Config nests anonymous structs.
type Config struct {
//> struct Config vis=public end=8
	Server struct {
//> field Config.Server vis=public end=5
		Host string
//> field Config.Server.Host vis=public end=0
		tls  struct {
//> field Config.Server.tls vis=internal end=2
			Cert, key string
//> field Config.Server.tls.Cert vis=public
//> field Config.Server.tls.key vis=internal
		}
	} `yaml:"server"`
	Debug bool
//> field Config.Debug vis=public
}

// Shape is what can be drawn.
type Shape interface {
//> interface Shape vis=public end=11 col=6 sig="type Shape interface" doc="Shape is what can be drawn."
	fmt.Stringer
	io.Closer

	// Area is in square metres.
	Area() float64
//> method Shape.Area vis=public col=2 sig="Area() float64" doc="Area is in square metres."
	Scale(by float64, around ...Base) (Shape, error)
//> method Shape.Scale vis=public sig="Scale(by float64, around ...Base) (Shape, error)"
	hidden()
//> method Shape.hidden vis=internal
	Draw(
//> method Shape.Draw vis=public end=2 sig="Draw(w io.Writer,) error"
		w io.Writer,
	) error
}

type Number interface {
//> interface Number vis=public end=3
	~int | ~int64 |
		~float64
}

type Ordered interface {
//> interface Ordered vis=public
	comparable
	Number
	Less(other any) bool
//> method Ordered.Less vis=public
}

type any2 = interface{}
//> type_alias any2 vis=internal

type Text = string
//> type_alias Text vis=public sig="type Text = string"

type Matrix [3][3]float64
//> type_alias Matrix vis=public sig="type Matrix [3][3]float64"

type Predicate func(Base) bool
//> type_alias Predicate vis=public

type List[T any] []T
//> type_alias List vis=public sig="type List[T any] []T"

type Ref *Base
//> type_alias Ref vis=public

type (
	// Metres is a length.
	Metres float64
//> type_alias Metres vis=public col=2 end=0 sig="Metres float64" doc="Metres is a length."

	// Box has two sides.
	Box struct {
//> struct Box vis=public end=2 sig="Box struct" doc="Box has two sides."
		W, H Metres
//> field Box.W vis=public
//> field Box.H vis=public
	}

	source interface {
//> interface source vis=internal sig="source interface"
		next() (Box, bool)
//> method source.next vis=internal
	}
	Names = []string
//> type_alias Names vis=public sig="Names = []string"
	visitor func(
//> type_alias visitor vis=internal end=2 sig="visitor func(b *Box,)"
		b *Box,
	)
)

type (
	single struct{}
//> struct single vis=internal sig="single struct"
)

type ()
