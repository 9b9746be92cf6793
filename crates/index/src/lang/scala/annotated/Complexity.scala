package demo

object Complexity {
//> class Complexity
  def straight(a: Int) = a
  //> method Complexity.straight cc=1

  def chain(a: Int): String =
  //> method Complexity.chain cc=4
    if (a > 10) "big"
    else if (a > 5) "middle"
    else if (a > 1) { "small" }
    else "tiny"

  def loops(all: List[Int]): Unit = {
  //> method Complexity.loops cc=4
    for (x <- all) println(x)
    while (true) {}
    do { println() } while (false)
  }

  def comprehension(xs: List[Int]) =
  //> method Complexity.comprehension cc=4
    for {
      x <- xs
      y <- xs if x > y
      z = x + y
    } yield z

  def operators(a: Boolean, b: Boolean, c: Boolean) = a && b || !c && a
  //> method Complexity.operators cc=4

  def bits(a: Int, b: Int) = a & b | a ^ b
  //> method Complexity.bits cc=1

  def matches(x: Any) = x match {
  //> method Complexity.matches cc=6
    case 1 | 2 => "few"
    case s: String if s.nonEmpty => s
    case Some(n) => "some"
    case other: Int => "int"
    case _ => "many"
  }

  def catches(): Int =
  //> method Complexity.catches cc=3
    try 1
    catch {
      case e: IllegalStateException => 2
      case e: Exception => 3
    }
    finally println()

  def handler() = try 1 catch recover
  //> method Complexity.handler cc=2

  def lambdas(all: List[Int]) = all.filter(x => x > 3 || x < 0).map { case 1 => 2 case n => n }
  //> method Complexity.lambdas cc=1
  //> function Complexity.lambdas.<lambda1> cc=2
  //> function Complexity.lambdas.<lambda2> cc=3

  val table = if (straight(1) > 0) 1 else 2
  //> field Complexity.table
}
