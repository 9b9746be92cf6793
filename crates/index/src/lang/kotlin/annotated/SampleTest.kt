//> file: src/commonTest/kotlin/SampleTest.kt
package demo

import kotlin.test.Test
//> import Test from kotlin.test Test

class SampleTest {
//> class SampleTest
    @BeforeTest
    fun setUp() {}
    //> method SampleTest.setUp

    @Test
    fun `adds two numbers`() = runTest { if (true) check(1 + 1 == 2) }
    //> test SampleTest.adds·two·numbers deco="Test" cc=1
    //> function SampleTest.adds·two·numbers.<lambda1> cc=2

    @org.junit.jupiter.api.Test fun qualified() {}
    //> test SampleTest.qualified

    @ParameterizedTest
    @ValueSource(ints = [1, 2])
    fun parameterized(n: Int) {}
    //> test SampleTest.parameterized

    fun testHelper() {}
    //> method SampleTest.testHelper
}
