import Testing
//> import * from Testing *

@Test func adds() async throws { #expect(1 + 1 == 2) }
//> test adds deco="Test" mods=async

@Suite("Points") struct PointSuite {
//> struct PointSuite deco="Suite("Points")"
    @Test("moves", arguments: [1, 2])
    func moves(by x: Int) {}
//> test PointSuite.moves deco="Test("moves", arguments: [1, 2])"
    func helper() {}
//> method PointSuite.helper
}
class NotATest {
//> class NotATest
    func testimony() {}
//> method NotATest.testimony
}
class InAppTestCase: XCTestCase {
//> class InAppTestCase
    func testInApp() {}
//> test InAppTestCase.testInApp
}
