package fmt

func Errorf(format string, values ...any) error { return nil }
