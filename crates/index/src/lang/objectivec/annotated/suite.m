//> file: AppTests/PersonTests.m
#import <XCTest/XCTest.h>
//> import * from XCTest/XCTest.h *
@interface PersonTests : XCTestCase
//> class PersonTests
@end
@implementation PersonTests
- (void)setUp {}
//> method PersonTests.setUp
- (void)testName { XCTAssert(YES); }
//> test PersonTests.testName vis=public
- (void)testHelperWith:(int)x {}
//> method PersonTests.testHelperWith:
@end
