package methods

import "fmt"
//> import fmt from fmt -

// Account holds money.
type Account struct {
//> struct Account vis=public end=3 col=6 sig="type Account struct" doc="Account holds money."
	owner string
//> field Account.owner vis=internal col=2 sig="owner string"
	cents int64
//> field Account.cents vis=internal
}

// Deposit adds to the balance.
func (a *Account) Deposit(cents int64) error {
//> method Account.Deposit vis=public cc=3 mods=- col=19 end=6 sig="func (a *Account) Deposit(cents int64) error" doc="Deposit adds to the balance."
	if cents <= 0 || a == nil {
		return fmt.Errorf("bad amount %d", cents)
	}
	a.cents += cents
	return nil
}

func (a Account) Balance() int64 { return a.cents }
//> method Account.Balance vis=public cc=1 col=18 end=0 sig="func (a Account) Balance() int64"

func (Account) kind() string { return "account" }
//> method Account.kind vis=internal cc=1 sig="func (Account) kind() string"

func (*Account) reset() {}
//> method Account.reset vis=internal cc=1 sig="func (*Account) reset()"

func (_ *Account) ignore(_ int, _ string) {}
//> method Account.ignore vis=internal cc=1

func (a *Account) transfer(
//> method Account.transfer vis=internal cc=2 end=9 sig="func (a *Account) transfer(to *Account, cents int64,) (err error)"
	to *Account,
	cents int64,
) (err error) {
	if err = to.Deposit(cents); err != nil {
		return err
	}
	a.cents -= cents
	return
}

// Celsius is a temperature.
type Celsius float64
//> type_alias Celsius vis=public sig="type Celsius float64" doc="Celsius is a temperature."

// String implements fmt.Stringer.
func (c Celsius) String() string { return fmt.Sprint(float64(c)) }
//> method Celsius.String vis=public cc=1 doc="String implements fmt.Stringer."

type HandlerFunc func(string) error
//> type_alias HandlerFunc vis=public sig="type HandlerFunc func(string) error"

func (h HandlerFunc) Handle(s string) error { return h(s) }
//> method HandlerFunc.Handle vis=public cc=1

type names []string
//> type_alias names vis=internal

func (n names) Len() int           { return len(n) }
//> method names.Len vis=public cc=1
func (n names) Less(i, j int) bool { return n[i] < n[j] }
//> method names.Less vis=public cc=1
func (n names) Swap(i, j int)      { n[i], n[j] = n[j], n[i] }
//> method names.Swap vis=public cc=1 sig="func (n names) Swap(i, j int)"

// The type of this receiver stands in another file.
func (e *elsewhere) Run() {}
//> method elsewhere.Run vis=public cc=1

// A function and a method may share their name.
func Run() {}
//> function Run vis=public cc=1

type Stack[T any] struct {
//> struct Stack vis=public end=2 sig="type Stack[T any] struct"
	items []T
//> field Stack.items vis=internal
}

func (s *Stack[T]) Push(v T) { s.items = append(s.items, v) }
//> method Stack.Push vis=public cc=1 col=20 sig="func (s *Stack[T]) Push(v T)"

func (s Stack[_]) Len() int { return len(s.items) }
//> method Stack.Len vis=public cc=1 sig="func (s Stack[_]) Len() int"

func (s *Stack[T]) Pop() (v T, ok bool) {
//> method Stack.Pop vis=public cc=2 end=7
	if len(s.items) == 0 {
		return v, false
	}
	v = s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return v, true
}

type Cache[K comparable, V any] struct{ data map[K]V }
//> struct Cache vis=public end=0 col=6
//> field Cache.data vis=internal col=41

func (c *Cache[K, V]) Get(k K) (V, bool) {
//> method Cache.Get vis=public cc=1 sig="func (c *Cache[K, V]) Get(k K) (V, bool)"
	v, ok := c.data[k]
	return v, ok
}
