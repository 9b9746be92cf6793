package demo.three

import scala.util.*
//> import * from scala.util *

@main def run(args: String*): Unit =
//> function run deco="main" cc=2 sig="def run(args: String*): Unit" end=3
  val local = 1
  if args.isEmpty then println(local)
  else println("x")

val answer: Int = 42
//> constant answer sig="val answer: Int = 42"
var state = 0
//> static state
private def helper = 1
//> function helper vis=private

/** A colour. */
enum Color(val rgb: Int) derives CanEqual:
//> enum Color sig="enum Color(val rgb: Int) derives CanEqual" doc="A colour." end=4
//> field Color.rgb
  case Red extends Color(0xFF0000)
  //> enum_member Color.Red sig="Red extends Color(0xFF0000)"
  /** Two of them. */
  case Green, Blue
  //> enum_member Color.Green
  //> enum_member Color.Blue
  def hex = rgb.toHexString
  //> method Color.hex

enum Tree[+T]:
//> enum Tree
  case Leaf
  //> enum_member Tree.Leaf
  case Node(value: T, left: Tree[T])
  //> enum_member Tree.Node sig="Node(value: T, left: Tree[T])"
  //> field Tree.Node.value vis=public
  //> field Tree.Node.left
end Tree

trait Ord[T]:
//> trait Ord end=4
  extension (x: T)
    def compare(y: T): Int
    //> method Ord.T.compare
    def <(y: T): Boolean = compare(y) < 0
    //> method Ord.T.<
  def zero: T
  //> method Ord.zero

given intOrd: Ord[Int] with
//> class intOrd sig="given intOrd: Ord[Int]" end=2
  extension (x: Int) def compare(y: Int) = x - y
  //> method intOrd.Int.compare
  def zero = 0
  //> method intOrd.zero

given [T](using Ord[T]): Ord[List[T]] with
//> class given_Ord_List col=1 sig="given [T](using Ord[T]): Ord[List[T]]"
  def zero = Nil
  //> method given_Ord_List.zero

given Conversion[String, Int] = _.length
//> constant given_Conversion_String_Int sig="given Conversion[String, Int]"

given global: ExecutionContext = ExecutionContext.global
//> constant global

extension (text: String)
  /** Says it loudly. */
  def shout: String = text.toUpperCase
  //> method String.shout sig="def shout: String" doc="Says it loudly."
  private def whisper = text
  //> method String.whisper vis=private

extension [T](all: List[T])(using Ord[T]) def second: T = all(1)
//> method List.second

opaque type Id = Int
//> type_alias Id sig="opaque type Id = Int"
object Id:
//> class Id#2
  def apply(n: Int): Id = n
  //> method Id.apply
  extension (id: Id) inline def raw: Int = id
  //> method Id.Id.raw

type Or = [A] =>> Either[String, A]
//> type_alias Or

class Service(using val context: Context)(port: Int):
//> class Service end=8
//> field Service.context
  private val handlers = List(1)
  //> field Service.handlers vis=private
  def serve(): Int =
  //> method Service.serve cc=1
    handlers.map: x =>
    //> function Service.serve.<lambda1> cc=2
      if x > 1 then x else 0
    .sum
  end serve
  inline def fast(inline x: Int) = x
  //> method Service.fast
end Service

object Constants:
//> class Constants
  inline val Limit = 10
  //> constant Constants.Limit
  val other = 1
  //> field Constants.other
  export Service.{fast as quick, *}
  //> import quick from Service fast
  //> import * from Service *

transparent inline def choose(b: Boolean): Any = inline if b then 1 else "x"
//> function choose cc=2

open class Base
//> class Base sig="open class Base"

infix def over(a: Int): Int = a
//> function over
