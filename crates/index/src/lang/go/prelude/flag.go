package flag

func Func(name, usage string, fn func(string) error)     { fn("") }
func BoolFunc(name, usage string, fn func(string) error) { fn("") }
func VisitAll(fn func(*Flag))                            { fn(nil) }
func Visit(fn func(*Flag))                               { fn(nil) }

type FlagSet struct{}

func NewFlagSet(name string, handling int) *FlagSet { return &FlagSet{} }

func (f *FlagSet) Func(name, usage string, fn func(string) error)     { fn("") }
func (f *FlagSet) BoolFunc(name, usage string, fn func(string) error) { fn("") }
func (f *FlagSet) VisitAll(fn func(*Flag))                            { fn(nil) }
func (f *FlagSet) Visit(fn func(*Flag))                               { fn(nil) }
