package filepath

func Walk(root string, fn WalkFunc) error                                        { return fn(root, nil, nil) }
func WalkDir(root string, fn func(path string, d any, err error) error) error { return fn(root, nil, nil) }

type WalkFunc func(path string, info any, err error) error
