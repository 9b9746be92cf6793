package demo.classes

import java.io.Serializable
//> import Serializable from java.io Serializable
import kotlin.collections.*
//> import * from kotlin.collections *
import org.junit.Assert as Check
//> import Check from org.junit Assert
import demo.`in`.Thing
//> import Thing from demo.in Thing

/**
 * A class with all kinds of members. The second sentence stays out.
 *
 * @param T what it holds
 */
@Suppress("UNUSED", "OTHER")
@Deprecated(message = "old")
public abstract class Box<T : Any>(
//> class Box vis=public mods=abstract col=23 deco="Suppress("UNUSED", "OTHER")" deco="Deprecated(message = "old")" sig="public abstract class Box<T : Any>(val first: T, @JvmField protected var second: Int = 2, plain: String, private val third: List<T> = listOf(),) : Base(plain), Serializable" doc="A class with all kinds of members." end=65
    val first: T,
    //> field Box.first vis=public sig="val first: T"
    @JvmField protected var second: Int = 2,
    //> field Box.second vis=protected deco="JvmField" sig="protected var second: Int = 2"
    plain: String,
    private val third: List<T> = listOf(),
    //> field Box.third vis=private
) : Base(plain), Serializable {

    /** How many there are. */
    var count = 0
    //> field Box.count vis=public mods=- sig="var count = 0" doc="How many there are."

    private val name: String by lazy { if (count > 0) "many" else "none" }
    //> field Box.name vis=private
    //> function Box.name.<lambda1> cc=2

    lateinit var late: String
    //> field Box.late vis=public sig="lateinit var late: String"

    // A plain comment is no documentation.
    internal open val size: Int
    //> field Box.size vis=internal mods=property sig="internal open val size: Int" doc=""
        get() = if (count > 0) count else 0
        //> method Box.size.get cc=2 mods=getter vis=public sig="get()"

    var checked: Int = 1
    //> field Box.checked vis=public mods=property sig="var checked: Int = 1"
        get() {
        //> method Box.checked.get cc=1 mods=getter
            return field
        }
        private set(value) {
        //> method Box.checked.set cc=2 mods=setter vis=private sig="private set(value)"
            if (value > 0) field = value
        }

    var quiet = true; private set
    //> field Box.quiet vis=public

    init {
        val local = count
        fun helper() = local
        //> function Box.helper cc=1
        count = local + 1
    }

    /** Makes one from a number. */
    constructor(number: Int) : this(number.toString()) {
    //> constructor Box.constructor vis=public cc=1 sig="constructor(number: Int)" doc="Makes one from a number." end=2
        count = number
    }

    protected constructor(text: String, flag: Boolean = false) : super(text)
    //> constructor Box.constructor#2 vis=protected cc=1 sig="protected constructor(text: String, flag: Boolean = false)"

    abstract fun area(): Double
    //> method Box.area vis=public mods=abstract cc=1 sig="abstract fun area(): Double"

    /** Says who it is. */
    @Throws(Exception::class)
    override fun toString(): String = "$first: ${if (count > 0) second else third}"
    //> method Box.toString mods=override cc=2 deco="Throws(Exception::class)" sig="override fun toString(): String" doc="Says who it is."

    protected suspend fun <U> load(key: U, vararg rest: Int): T? where U : Any, U : Comparable<U> {
    //> method Box.load vis=protected mods=async cc=1 sig="protected suspend fun <U> load(key: U, vararg rest: Int): T? where U : Any, U : Comparable<U>"
        return null
    }

    operator fun plus(other: Box<T>): Box<T> = this
    //> method Box.plus vis=public mods=- sig="operator fun plus(other: Box<T>): Box<T>"

    private fun String.shout() = uppercase()
    //> method Box.String.shout vis=private cc=1

    inner class Inner {
    //> class Box.Inner vis=public sig="inner class Inner"
        val outer = this@Box.count
        //> field Box.Inner.outer
    }

    companion object {
    //> class Box.Companion vis=public col=5 sig="companion object" end=5
        const val MAX = 10
        //> constant Box.Companion.MAX vis=public mods=const sig="const val MAX = 10"
        private val cache = mutableMapOf<String, Int>()
        //> field Box.Companion.cache vis=private
        @JvmStatic
        fun create(): Box<Any>? = null
        //> method Box.Companion.create deco="JvmStatic" cc=1
    }
}

class Named private constructor(val x: Int) {
//> class Named sig="class Named private constructor(val x: Int)"
//> field Named.x
    companion object Factory : Maker<Named> {
    //> class Named.Factory sig="companion object Factory : Maker<Named>"
        override fun make() = Named(1)
        //> method Named.Factory.make mods=override
    }
}

class Injected<T>
//> class Injected sig="class Injected<T> @Inject internal constructor(private val service: T)"
    @Inject internal constructor(private val service: T) {
    //> field Injected.service vis=private
    fun run() {}
    //> method Injected.run
}

class Delegating(val inner: Things) : Things by inner {
//> class Delegating sig="class Delegating(val inner: Things) : Things by inner"
//> field Delegating.inner
    override val size get() = 1
    //> field Delegating.size mods=override,property
    //> method Delegating.size.get
    companion object
    //> class Delegating.Companion
}

class Empty
//> class Empty end=0 sig="class Empty"
