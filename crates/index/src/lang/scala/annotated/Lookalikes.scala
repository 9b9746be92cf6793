package demo.lookalikes

// class NotThis { def neither = 1 }
/* trait NorThis /* nested */ { } */
class Words {
//> class Words
  val a = "class Fake { def f = 1 }"
  //> field Words.a
  val b = """
  //> field Words.b end=4
    class Fake { val "x" }

    def nothing = 1
  """
  val c = s"class ${if (true) "object X" else 'y'}"
  //> field Words.c
  val quote = '"'
  //> field Words.quote
  val symbol = 'other
  //> field Words.symbol
  val xml = <class name="x"><def>{ a }</def></class>
  //> field Words.xml
  val end = 1
  //> field Words.end
  val open, inline, opaque, extension, derives, as, using = 2
  //> field Words.open
  //> field Words.inline
  //> field Words.opaque
  //> field Words.extension
  //> field Words.derives
  //> field Words.as
  //> field Words.using
  val `class` = 3
  //> field Words.class
  val $dollar = 4
  //> field Words.$dollar

  /* Not a doc comment. */
  def infix(x: Int) = x end open
  //> method Words.infix doc="" cc=1
  def structural(x: { def close(): Unit; val n: Int }) = x.n
  //> method Words.structural cc=1
  def typed(f: Int => Boolean, g: (Int, Int) => Int) = f(g(1, 2))
  //> method Words.typed cc=1
  def method_name_? = true
  //> method Words.method_name_?
}
