import {Test} from "forge-std/Test.sol";
//> import Test from forge-std/Test.sol Test

contract TokenTest is Test {
//> class TokenTest
    function setUp() public {}
//> method TokenTest.setUp
    function test_Transfer() public {
//> test TokenTest.test_Transfer cc=2 vis=public
        if (true) {}
    }
    function testFuzz_Amount(uint256 a) external {}
//> test TokenTest.testFuzz_Amount
    function invariant_Supply() public {}
//> test TokenTest.invariant_Supply
    function testHelper() internal {}
//> method TokenTest.testHelper
}
