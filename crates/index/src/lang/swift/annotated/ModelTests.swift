//> file: Tests/AppTests/ModelTests.swift
import XCTest
//> import * from XCTest *

final class ModelTests: XCTestCase {
//> class ModelTests
    override func setUp() {}
//> method ModelTests.setUp
    func testAdding() async throws { XCTAssertEqual(1 + 1, 2) }
//> test ModelTests.testAdding mods=async cc=1
    func testHelper(value: Int) {}
//> method ModelTests.testHelper
}
class OtherTests: BaseTests {
//> class OtherTests
    func testIt() {}
//> test OtherTests.testIt
}
struct Helper {
//> struct Helper
    func testing() {}
//> method Helper.testing
}
