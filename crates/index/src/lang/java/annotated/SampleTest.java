//> file: src/test/java/demo/SampleTest.java
package demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
//> import assertEquals from org.junit.jupiter.api.Assertions assertEquals
import org.junit.jupiter.api.*;
//> import * from org.junit.jupiter.api *
import junit.framework.TestCase;
//> import TestCase from junit.framework TestCase

class SampleTest {
//> class SampleTest vis=internal
    private int state;
//> field SampleTest.state vis=private

    @BeforeEach
    void setUp() { state = 1; }
//> method SampleTest.setUp vis=internal cc=1 deco="BeforeEach"

    /** One and one. */
    @Test
    void addsNumbers() {
//> test SampleTest.addsNumbers vis=internal cc=1 mods=- col=10 end=2 deco="Test" sig="void addsNumbers()" doc="One and one."
        assertEquals(2, 1 + state);
    }

    @Test
    @DisplayName("with a name")
    public void named() throws Exception {
//> test SampleTest.named vis=public cc=2 deco="Test" deco="DisplayName("with a name")" sig="public void named() throws Exception"
        for (int i = 0; i < 3; i++) state += i;
    }

    @DisplayName("the other order") @Test void sameLine() {}
//> test SampleTest.sameLine cc=1 deco="DisplayName("the other order")" deco="Test" sig="void sameLine()"

    @Test(timeout = 100)
    public void old() {}
//> test SampleTest.old vis=public cc=1 deco="Test(timeout = 100)"

    @ParameterizedTest(name = "{0} is odd")
    @ValueSource(ints = {1, 3})
    void odd(int n) {
//> test SampleTest.odd cc=1 deco="ParameterizedTest(name = "{0} is odd")" deco="ValueSource(ints = {1, 3})" sig="void odd(int n)"
        assertEquals(1, n % 2);
    }

    @RepeatedTest(5)
    void again() {}
//> test SampleTest.again cc=1 deco="RepeatedTest(5)"

    @TestFactory
    java.util.List<Object> dynamic() { return null; }
//> test SampleTest.dynamic cc=1

    @TestTemplate
    void template(String s) {}
//> test SampleTest.template cc=1

    @Disabled
    void skipped() {}
//> method SampleTest.skipped cc=1 deco="Disabled"

    void testLooksLikeOne() {}
//> method SampleTest.testLooksLikeOne cc=1

    @Nested
    class WhenEmpty {
//> class SampleTest.WhenEmpty deco="Nested"
        @Test
        void isZero() {}
//> test SampleTest.WhenEmpty.isZero cc=1
    }
}

class OldStyle extends TestCase {
//> class OldStyle sig="class OldStyle extends TestCase"
    public OldStyle(String name) { super(name); }
//> constructor OldStyle.OldStyle vis=public cc=1

    protected void setUp() {}
//> method OldStyle.setUp vis=protected cc=1

    public void testAddition() { assertEquals(2, 1 + 1); }
//> test OldStyle.testAddition vis=public cc=1

    public void testBranch() {
//> test OldStyle.testBranch vis=public cc=2
        if (getName() == null) fail();
    }

    public void helper() {}
//> method OldStyle.helper cc=1
}

class Derived extends demo.base.DatabaseTestCase {
//> class Derived
    public void testQuery() {}
//> test Derived.testQuery cc=1
}
