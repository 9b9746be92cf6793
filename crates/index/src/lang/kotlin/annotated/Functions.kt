package demo.functions

/** Adds two numbers. */
fun add(a: Int, b: Int): Int = a + b
//> function add vis=public cc=1 sig="fun add(a: Int, b: Int): Int" doc="Adds two numbers." col=5 end=0

private inline fun <reified T> typed(
//> function typed vis=private cc=1 end=5 sig="private inline fun <reified T> typed(value: Any, noinline block: (T) -> Unit,)"
    value: Any,
    noinline block: (T) -> Unit,
) {
    block(value as T)
}

fun String.shout(): String = uppercase()
//> method String.shout vis=public sig="fun String.shout(): String"
fun <T> List<T>?.second(): T? = this?.get(1)
//> method List.second sig="fun <T> List<T>?.second(): T?"
fun Outer.Companion.create() = Outer()
//> method Outer.Companion.create
fun (() -> Unit).twice() { this(); this() }
//> function twice
infix fun Int.upTo(other: Int) = this..other
//> method Int.upTo
suspend fun `does several things`() {}
//> function does·several·things mods=async col=13

val String.last: Char
//> field String.last mods=property sig="val String.last: Char"
    get() = this[length - 1]
    //> method String.last.get cc=1

const val LIMIT = 10
//> constant LIMIT mods=const sig="const val LIMIT = 10"
val defaults = listOf(1, 2)
//> constant defaults vis=public
private var counter = 0
//> static counter vis=private sig="private var counter = 0"
val computed: Int get() = counter
//> constant computed mods=property
//> method computed.get

val square = { x: Int -> x * x }
//> function square cc=1 sig="val square"
val positive: (Int) -> Boolean = { it > 0 && it < 100 }
//> function positive cc=2 sig="val positive: (Int) -> Boolean"
private val anonymous = fun(x: Int): Int { return if (x > 0) x else 0 }
//> function anonymous vis=private cc=2

fun locals(n: Int): Int {
//> function locals cc=1 end=17
    val local = n
    var other = local
    val (a, b) = 1 to 2
    fun nested(x: Int): Int = if (x > 0) x else n
    //> function locals.nested vis=private cc=2
    val double = { x: Int -> x * 2 }
    //> function locals.double cc=1
    class Local(val x: Int) {
    //> class locals.Local vis=private
    //> field locals.Local.x vis=public
        fun go() = x
        //> method locals.Local.go
    }
    val listener = object : Listener {
        private val seen = 1
        //> field locals.<class1>.seen vis=private
        override fun onClick(view: View) { if (seen > 0) other++ }
        //> method locals.<class1>.onClick mods=override cc=2
    }
    list.filter { it > 3 }.forEach { x ->
    //> function locals.<lambda1> cc=1
        if (x > 0) println(x)
    }
    return double(nested(a + b))
}

@Composable
private fun Header() {
//> function Header vis=private deco="Composable" cc=2
    if (true) Text("x")
}

fun defaultLambda(block: () -> Int = { 1 }) = block()
//> function defaultLambda cc=1
