package demo.broken

class Before { fun fine() {} }
//> class Before
//> method Before.fine

fun bad( {
//> function bad

class Middle {
//> class Middle
    fun good() { if (true) {} }
    //> method Middle.good cc=2

    fun lost() { val x = (1 + }
    //> method Middle.lost cc=1

    fun afterError(a: Int) {}
    //> method Middle.afterError
}

class After {
//> class After
    val ok = 1
    //> field After.ok
    fun m() {}
    //> method After.m
}
