package demo.classes

/** A class with all kinds of members. The second sentence stays out.
 *
 *  @tparam T what it holds
 */
@deprecated("old", "1.0") @SerialVersionUID(1L)
abstract class Box[+T <: AnyRef](
//> class Box vis=public mods=abstract col=16 deco="deprecated("old", "1.0")" deco="SerialVersionUID(1L)" sig="abstract class Box[+T <: AnyRef](val first: T, private var second: Int = 2, plain: String)(implicit ev: Ordering[T]) extends Base(plain) with Serializable" doc="A class with all kinds of members." end=46
    val first: T,
    //> field Box.first vis=public sig="val first: T"
    private var second: Int = 2,
    //> field Box.second vis=private
    plain: String)(implicit ev: Ordering[T])
  extends Base(plain) with Serializable { self: Other =>

  /** How many there are. */
  var count = 0
  //> field Box.count vis=public mods=- sig="var count = 0" doc="How many there are."

  private[this] lazy val name: String = if (count > 0) "many" else "none"
  //> field Box.name vis=private mods=-

  // A plain comment is no documentation.
  protected[demo] val size: Int
  //> field Box.size vis=protected doc=""
  private[demo] val a, b = 1
  //> field Box.a vis=internal
  //> field Box.b vis=internal
  val (left, Some(right)) = pair
  //> field Box.left
  //> field Box.right
  final override val X = 3
  //> field Box.X mods=final,override

  def this(number: Int) = this(number.toString, 1)
  //> constructor Box.this vis=public cc=1 sig="def this(number: Int)"

  def area: Double
  //> method Box.area vis=public sig="def area: Double"

  /** Says who it is. */
  @throws(classOf[Exception])
  override def toString(): String = s"$first: ${if (count > 0) second else 0}"
  //> method Box.toString mods=override cc=2 deco="throws(classOf[Exception])" sig="override def toString(): String" doc="Says who it is."

  protected def load[U >: T](key: U, rest: Int*)(implicit ord: Ordering[U]): Option[U] = {
  //> method Box.load vis=protected cc=1 sig="protected def load[U >: T](key: U, rest: Int*)(implicit ord: Ordering[U]): Option[U]" end=2
    None
  }

  def procedure(x: Int) { if (x > 0) count = x }
  //> method Box.procedure cc=2 sig="def procedure(x: Int)"
  def +(other: Box[_]): Int = 1
  //> method Box.+ sig="def +(other: Box[_]): Int"
  def ::[B](x: B) = Nil
  //> method Box.::
  def unary_! : Boolean = false
  //> method Box.unary_!
  def count_=(n: Int): Unit = ()
  //> method Box.count_=
  def `odd name`() = 1
  //> method Box.odd·name
  implicit def asInt: Int = 1
  //> method Box.asInt mods=-

  type Key = String
  //> type_alias Box.Key sig="type Key = String"
  type Elem <: AnyRef
  //> type_alias Box.Elem sig="type Elem <: AnyRef"

  class Inner { def deep = 1 }
  //> class Box.Inner
  //> method Box.Inner.deep

  if (count > 0) {
    val hidden = 1
    def helper = hidden
    //> function Box.helper
  }
}

object Box extends Maker {
//> class Box#2 sig="object Box extends Maker"
  final val Max = 10
  //> constant Box.Max mods=final sig="final val Max = 10"
  private val cache = new java.util.HashMap[String, Int]
  //> field Box.cache vis=private
  def apply(n: Int): Box[String] = new Box("x", n, "y") {
  //> method Box.apply cc=1 end=3
    override def area = 2.0
    //> method Box.apply.<class1>.area mods=override
    val size = 1
    //> field Box.apply.<class1>.size
  }
  object Nested { val deep = 1 }
  //> class Box.Nested
  //> field Box.Nested.deep
}

final case class Point(x: Int, private val y: Int = 0)(z: Int)
//> class Point mods=final sig="final case class Point(x: Int, private val y: Int = 0)(z: Int)" end=0
//> field Point.x vis=public sig="x: Int"
//> field Point.y vis=private

case object Origin
//> class Origin sig="case object Origin"

sealed trait Shape[T] extends Any { this: Drawable =>
//> trait Shape mods=sealed sig="sealed trait Shape[T] extends Any"
  def sides: Int
  //> method Shape.sides
  def draw(on: Canvas): Unit = ()
  //> method Shape.draw
}

object Shape { val Unit = 1 }
//> class Shape#2
//> field Shape.Unit

implicit class RichString(val text: String) extends AnyVal {
//> class RichString sig="implicit class RichString(val text: String) extends AnyVal"
//> field RichString.text
  def shout = text.toUpperCase
  //> method RichString.shout
}

class Plain private (a: Int, val b: Int)
//> class Plain sig="class Plain private (a: Int, val b: Int)"
//> field Plain.b

object Main extends App {
//> class Main
  val double = (x: Int) => x * 2
  //> method Main.double cc=1 sig="val double"
  def locals(n: Int) = {
  //> method Main.locals cc=1 end=8
    val local = n
    lazy val other = local
    def nested(x: Int): Int = if (x > 0) x else n
    //> function Main.locals.nested vis=private cc=2
    val square = (x: Int) => x * x
    //> function Main.locals.square vis=private
    class Local(val x: Int) { def go = x }
    //> class Main.locals.Local vis=private
    //> field Main.locals.Local.x vis=public
    //> method Main.locals.Local.go
    List(1).map { x => x + 1 }.foreach(println(_))
    List(1) collect { case 1 => 2; case n if n > 3 => n; case _ => 0 }
    //> function Main.locals.<lambda2> cc=4
  }
}
