#> file: test/models/user_test.rb
require "test_helper"
#> import - from test_helper -

class UserTest < ActiveSupport::TestCase
#> class UserTest
  setup do
    @user = users(:one)
#> field UserTest::@user
  end

  test "is valid" do
#> test UserTest::is·valid sig="test "is valid""
    assert @user.valid?
  end

  def test_named
#> test UserTest::test_named vis=public cc=1
  end

  private

  def build_user; end
#> method UserTest::build_user vis=private
end
