@file:JvmName("Types")

package demo.types

/** A pair. */
data class Pair2<out A, out B>(val first: A, val second: B)
//> class Pair2 sig="data class Pair2<out A, out B>(val first: A, val second: B)" doc="A pair."
//> field Pair2.first
//> field Pair2.second

sealed class Shape {
//> class Shape mods=sealed
    data object Nothing : Shape()
    //> class Shape.Nothing sig="data object Nothing : Shape()"
    class Circle(val radius: Double) : Shape() {
    //> class Shape.Circle
    //> field Shape.Circle.radius
        fun area() = radius
        //> method Shape.Circle.area
    }
}

@JvmInline
value class Meters(val amount: Int)
//> class Meters deco="JvmInline" sig="value class Meters(val amount: Int)"
//> field Meters.amount

enum class Level(val weight: Int) {
//> enum Level sig="enum class Level(val weight: Int)"
//> field Level.weight
    /** The lowest. */
    LOW(1),
    //> enum_member Level.LOW vis=public sig="LOW(1)" doc="The lowest."
    @Deprecated("no")
    HIGH(2) {
    //> enum_member Level.HIGH deco="Deprecated("no")" sig="HIGH(2)" end=2
        override fun next() = LOW
        //> method Level.HIGH.next mods=override
    };

    open fun next(): Level = HIGH
    //> method Level.next

    companion object {
    //> class Level.Companion
        val all = values()
        //> field Level.Companion.all
    }
}

enum class Plain { A, B }
//> enum Plain
//> enum_member Plain.A
//> enum_member Plain.B

interface Repository<T> : Closeable {
//> interface Repository sig="interface Repository<T> : Closeable"
    val size: Int
    //> field Repository.size sig="val size: Int"
    fun find(id: Int): T?
    //> method Repository.find vis=public cc=1
    fun first() = find(0)
    //> method Repository.first
    private fun hidden() {}
    //> method Repository.hidden vis=private
}

sealed interface Result
//> interface Result mods=sealed

fun interface Action {
//> interface Action sig="fun interface Action"
    fun run(times: Int)
    //> method Action.run
}

@Target(AnnotationTarget.CLASS)
@Retention(AnnotationRetention.BINARY)
annotation class Marker
//> class Marker deco="Target(AnnotationTarget.CLASS)" deco="Retention(AnnotationRetention.BINARY)" sig="annotation class Marker"

@Marker
internal annotation class First
//> class First vis=internal deco="Marker"

/** Comes second. */
@Marker
internal annotation class Second
//> class Second vis=internal doc="Comes second."

annotation class WithValues(val names: Array<String> = [], val dynamic: Int)
//> class WithValues
//> field WithValues.names sig="val names: Array<String> = []"
//> field WithValues.dynamic

@Marker
public actual open class Platform {
//> class Platform vis=public deco="Marker" sig="public actual open class Platform" end=3
    private val next = 1
    //> field Platform.next vis=private
    fun remove(): Int = next
    //> method Platform.remove cc=1
}

expect fun now(): Long
//> function now mods=declare sig="expect fun now(): Long"

object Registry : Base() {
//> class Registry sig="object Registry : Base()"
    private val items = HashMap<String, Int>()
    //> field Registry.items vis=private
    fun add(name: String) { items[name] = 1 }
    //> method Registry.add
    object Nested
    //> class Registry.Nested
}

typealias Handler<T> = (T, Int) -> Unit
//> type_alias Handler sig="typealias Handler<T> = (T, Int) -> Unit"
internal typealias Names = List<String>
//> type_alias Names vis=internal

internal abstract class Generic<
//> class Generic vis=internal mods=abstract
    T : Any,
    U,
> {
    abstract val value: Map<T, U,>
    //> field Generic.value mods=abstract
}
