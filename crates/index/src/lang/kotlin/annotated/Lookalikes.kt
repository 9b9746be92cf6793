package demo.lookalikes

// class NotThis { fun neither() {} }
/* interface NorThis /* nested */ { } */
class Words {
//> class Words
    val a = "class Fake { fun f() {} }"
    //> field Words.a
    val b = """
    //> field Words.b end=4
        class Fake { val "x" }

        fun nothing() = ${if (true) "class X" else "y"}
    """
    val quote = '"'
    //> field Words.quote
    val value = 1
    //> field Words.value
    val data = value
    //> field Words.data
    val inner = data
    //> field Words.inner
    val open = 2
    //> field Words.open
    val annotation = 3
    //> field Words.annotation
    val get = 4
    //> field Words.get
    val set = 5
    //> field Words.set
    val by = 6
    //> field Words.by
    val dynamic = 7
    //> field Words.dynamic
    val `class` = 8
    //> field Words.class

    /* Not a doc comment. */
    fun infix() = data shl value
    //> method Words.infix doc=""
    fun companion() = "companion object"
    //> method Words.companion
    fun test(operator: Int) { val constructor = operator; println(constructor) }
    //> method Words.test cc=1
    fun shift(a: Int, b: Int) = a < b
    //> method Words.shift cc=1
    fun inline() {}
    //> method Words.inline
    fun label() { listOf(1).forEach here@{ return@here } }
    //> method Words.label
}
