#> file: tests/test_shop.py
"""Tests in the manner of pytest."""
import pytest
#> import pytest from pytest -

from shop import Cart
#> import Cart from shop Cart

test_data = [1, 2, 3]
#> static test_data vis=public
TEST_LIMIT = 3
#> constant TEST_LIMIT vis=public


@pytest.fixture
def cart():
#> function cart vis=public deco=pytest.fixture cc=1
    return Cart()


@pytest.fixture(scope="module", params=["a", "b"])
def named_cart(request):
#> function named_cart deco="pytest.fixture(scope="module", params=["a", "b"])" mods=generator
    yield Cart(request.param)


def test_empty(cart):
#> test test_empty vis=public cc=1 sig="def test_empty(cart)" doc="A new cart is empty." end=2 col=5
    """A new cart is empty."""
    assert len(cart) == 0


@pytest.mark.parametrize("n,expected", [(1, 1), (2, 4)])
@pytest.mark.slow
def test_square(n, expected):
#> test test_square deco="pytest.mark.parametrize("n,expected", [(1, 1), (2, 4)])" deco=pytest.mark.slow cc=2
    for _ in range(n):
        assert n * n == expected


async def test_async_checkout(cart):
#> test test_async_checkout mods=async
    assert await cart.checkout()


def helper_for_test():
#> function helper_for_test vis=public
    return 1


def testing():
#> function testing vis=public
    return 2


def _test_private():
#> function _test_private vis=private
    return 3


class TestCart:
#> class TestCart vis=public
    size = 3
#> field TestCart.size

    def setup_method(self):
#> method TestCart.setup_method
        self.cart = Cart()
#> field TestCart.cart

    def test_add(self):
#> test TestCart.test_add cc=2 vis=public
        def key(item):
#> function TestCart.test_add.key vis=private
            return item

        assert self.cart.add(1) or key(2)

    @staticmethod
    def test_static():
#> test TestCart.test_static mods=static
        assert True

    def check(self):
#> method TestCart.check
        return True

    class TestNested:
#> class TestCart.TestNested
        def test_inner(self):
#> test TestCart.TestNested.test_inner
            pass


class FakeCart(Cart):
#> class FakeCart vis=public
    def test_like(self):
#> test FakeCart.test_like
        return 1
