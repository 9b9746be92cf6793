from decimal import Decimal

from shop.cart import Cart, Item


def test_same_items_add_up():
    cart = Cart("ada")
    cart.add(Item("pen", Decimal(2)))
    cart.add(Item("pen", Decimal(2)))
    assert cart.total() == 4
