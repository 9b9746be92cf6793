package lookalikes

/*
func commentedOut() {}

type Gone struct { x int }
*/

// func alsoCommentedOut() {}

//const notThere = 1

var text = "func inString() {}; type T struct{}"
//> static text vis=internal

var rawText = `
//> static rawText vis=internal end=5
func inRawString() {
	return
}
type InRaw struct { y int }
`

var quote = '"'
//> static quote vis=internal sig="var quote = '"'"

var after = "still a \" string { func x() {"
//> static after vis=internal

func real() { // func fake() {
//> function real vis=internal cc=1 end=5 sig="func real()"
	_ = "if a && b || c {"
	_ = `for { switch x { case 1: } }`
	// if a { } else if b { }
	/* for { } */
}

/* leading */ func commented( /* a */ ) { /* } */ }
//> function commented vis=internal cc=1 col=20

func größe(straße string) int { return len(straße) }
//> function größe vis=internal cc=1 col=6 sig="func größe(straße string) int"

// Ärger beginnt groß.
type Ärger struct {
//> struct Ärger vis=public col=6 doc="Ärger beginnt groß."
	Über, ñandú int
//> field Ärger.Über vis=public col=2
//> field Ärger.ñandú vis=internal col=8
}

func (ä Ärger) Öffnen() {}
//> method Ärger.Öffnen vis=public cc=1 col=16 sig="func (ä Ärger) Öffnen()"

const π, Δt = 3.14, 0.1
//> constant π vis=internal col=7
//> constant Δt vis=public col=10

func 世界() string { return "世界" }; func next() {}
//> function 世界 vis=internal cc=1 col=6
//> function next vis=internal cc=1 col=40

var functional, typed, interfaces = 1, 2, 3
//> static functional
//> static typed
//> static interfaces

func _() {}

func string2() (string string) { return }
//> function string2 vis=internal cc=1
