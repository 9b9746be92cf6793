package demo

class Complexity {
//> class Complexity
    fun straight(a: Int) = a
    //> method Complexity.straight cc=1

    fun chain(a: Int): String {
    //> method Complexity.chain cc=4
        if (a > 10) {
            return "big"
        } else if (a > 5) {
            return "middle"
        } else if (a > 1) return "small"
        else return "tiny"
    }

    fun loops(all: List<Int>) {
    //> method Complexity.loops cc=4
        for (x in all) println(x)
        while (true) break
        do { println() } while (false)
    }

    fun operators(a: Boolean, b: Boolean, c: Boolean) = a && b || !c && a
    //> method Complexity.operators cc=4

    fun words(a: Boolean, b: Boolean) = a and b or !a
    //> method Complexity.words cc=1

    fun nulls(a: String?) = a?.length ?: a!!.length
    //> method Complexity.nulls cc=1

    fun whens(x: Any) = when (x) {
    //> method Complexity.whens cc=5
        1, 2 -> "few"
        is String -> x
        in 3..9 -> "some"
        !is Int -> "other"
        else -> "many"
    }

    fun conditions(a: Int): Int {
    //> method Complexity.conditions cc=4
        when {
            a > 3 && a < 5 -> return 1
            a < 0 -> return 2
            else -> return 0
        }
    }

    fun catches(): Int {
    //> method Complexity.catches cc=3
        try {
            return 1
        } catch (e: IllegalStateException) {
            return 2
        }
        catch (e: Exception) {
            return 3
        }
        finally {
            println()
        }
    }

    fun lambdas(all: List<Int>) = all.filter { it > 3 || it < 0 }.map(fun(x: Int): Int { if (x > 0) return 1; return 0 })
    //> method Complexity.lambdas cc=1
    //> function Complexity.lambdas.<lambda1> cc=2
    //> function Complexity.lambdas.<lambda2> cc=2

    fun untyped() = visitor(fun(expression) { if (expression != null) return })
    //> method Complexity.untyped cc=1
    //> function Complexity.untyped.<lambda1> cc=2
}
