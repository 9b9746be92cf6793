struct Before {
//> struct Before
    func ok() {}
//> method Before.ok
}

func wrong( {
//> function wrong
}

let x = = 3
//> constant x

class After {
//> class After
    var field = 1
//> field After.field
    func method() { if a { } }
//> method After.method cc=2
}

func last() {}
//> function last
