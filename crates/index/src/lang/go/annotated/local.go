package local

// Report counts what is too long.
func Report(rows []string) int {
//> function Report vis=public cc=3 end=25 sig="func Report(rows []string) int"
	// cell is only known here.
	type cell struct {
//> struct Report.cell vis=internal end=3 sig="type cell struct" doc="cell is only known here."
		text string
//> field Report.cell.text vis=internal
		size int
//> field Report.cell.size vis=internal
	}
	type cells = []cell
//> type_alias Report.cells vis=internal sig="type cells = []cell"
	type measured interface {
//> interface Report.measured vis=internal
		measure() int
//> method Report.measured.measure vis=internal
	}
	type (
		short int8
//> type_alias Report.short sig="short int8"
		wide  struct{ by short }
//> struct Report.wide
//> field Report.wide.by
	)
	const limit = 10
//> constant Report.limit
	var all cells
	count, unused := 0, wide{}
	_ = unused
	for _, row := range rows {
		all = append(all, cell{row, len(row)})
		if len(row) > limit {
			count++
		}
	}
	return count
}

type Tree struct {
//> struct Tree
	kids []*Tree
//> field Tree.kids
}

func (t *Tree) Walk(visit func(*Tree)) {
//> method Tree.Walk vis=public cc=2
	type step struct {
//> struct Tree.Walk.step
		at    *Tree
//> field Tree.Walk.step.at
		depth int
//> field Tree.Walk.step.depth
	}
	todo := []step{{t, 0}}
	for len(todo) > 0 {
		last := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		visit(last.at)
	}
}

func nested() func() int {
//> function nested cc=1
	local := func() int { return 1 }
	return func() int {
		type frame struct {
//> struct nested.<lambda2>.frame
			n int
//> field nested.<lambda2>.frame.n
		}
		return frame{local()}.n
	}
}

var Handler = func(s string) string {
//> function Handler vis=public cc=2
	type part string
//> type_alias Handler.part
	if s == "" {
		return string(part("none"))
	}
	return s
}

func shadow() {
//> function shadow
	type Tree struct{}
//> struct shadow.Tree
	{
		type Leaf int
//> type_alias shadow.Leaf
		_ = Leaf(1)
	}
	_ = Tree{}
}
