//> file: src/test/scala/SampleSuite.scala
package demo

import org.junit.Test
//> import Test from org.junit Test

class SampleSuite extends munit.FunSuite {
//> class SampleSuite
  @Test def adds(): Unit = { if (true) assert(1 + 1 == 2) }
  //> test SampleSuite.adds deco="Test" cc=2
  @org.junit.jupiter.api.Test def qualified() = ()
  //> test SampleSuite.qualified
  def helper() = 1
  //> method SampleSuite.helper

  test("a call is no definition") {
    val local = 1
    assert(local == 1)
  }
}
