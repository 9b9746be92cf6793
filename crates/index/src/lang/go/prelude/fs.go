package fs

func WalkDir(fsys any, root string, fn WalkDirFunc) error { return fn(root, nil, nil) }

type WalkDirFunc func(path string, d any, err error) error
