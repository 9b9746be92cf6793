//> file: tests/test_suite.c
#include "check.h"
//> import * from check.h *

static void test_addition(void **state) { assert(1 + 1 == 2); }
//> test test_addition vis=private
static void helper(void) {}
//> function helper
void testSubtraction(void) {}
//> test testSubtraction
int tested(void);
//> function tested mods=declare

START_TEST(multiplies)
//> test multiplies sig="START_TEST(multiplies)" col=12
{
	int x = 1;
}
END_TEST

TEST(Numbers, Divide) { }
//> test Numbers::Divide col=15
TEST_CASE("it counts", "[count]") { }
//> test it·counts
