package time

type Duration int64
type Month int
type Weekday int

func AfterFunc(d Duration, f func()) *Timer { f(); return &Timer{} }

type Timer struct{}
