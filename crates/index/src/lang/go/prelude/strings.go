package strings

func Map(mapping func(rune) rune, s string) string                  { mapping(0); return s }
func FieldsFunc(s string, f func(rune) bool) []string               { f(0); return nil }
func IndexFunc(s string, f func(rune) bool) int                     { f(0); return 0 }
func LastIndexFunc(s string, f func(rune) bool) int                 { f(0); return 0 }
func ContainsFunc(s string, f func(rune) bool) bool                 { f(0); return true }
func TrimFunc(s string, f func(rune) bool) string                   { f(0); return s }
func TrimLeftFunc(s string, f func(rune) bool) string               { f(0); return s }
func TrimRightFunc(s string, f func(rune) bool) string              { f(0); return s }
func FieldsFuncSeq(s string, f func(rune) bool) func(func(string) bool) { f(0); return nil }
