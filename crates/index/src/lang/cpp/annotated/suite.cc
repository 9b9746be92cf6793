//> file: util/suite_test.cc
#include "gtest/gtest.h"
//> import * from gtest/gtest.h *
namespace leveldb {
//> namespace leveldb
class CacheTest : public testing::Test {};
//> class leveldb::CacheTest

/// It finds.
TEST_F(CacheTest, HitAndMiss) { ASSERT_EQ(1, 1); }
//> test leveldb::CacheTest::HitAndMiss vis=public cc=1 col=19 doc="It finds." sig="TEST_F(CacheTest, HitAndMiss)"
TEST(Plain,
     Multiline) {
//> test leveldb::Plain::Multiline col=6
  EXPECT_THROW(throw 1, int);
}
TYPED_TEST(Typed, Works) { if (1) return; }
//> test leveldb::Typed::Works cc=2
INSTANTIATE_TEST_SUITE_P(All, Typed, ::testing::Values(1, 2));
}  // namespace leveldb

TEST_CASE("vectors can be sized", "[vector]") {
//> test vectors·can·be·sized
  SECTION("resizing") { REQUIRE(true); }
}
SCENARIO("a scenario") { run(); }
//> test a·scenario
BOOST_AUTO_TEST_SUITE(suite)
BOOST_AUTO_TEST_CASE(first_case) { BOOST_CHECK(true); }
//> test first_case
BOOST_FIXTURE_TEST_CASE(second_case, Fixture) { BOOST_CHECK(true); }
//> test second_case
BOOST_AUTO_TEST_SUITE_END()

static void helper() {}
//> function helper
int main(int argc, char** argv) { return RUN_ALL_TESTS(); }
//> function main
