"""Carts: see the specification checkout."""
from auth_token import check


def total(cart, token):
    """The sum of a cart, as the checkout needs it."""
    check(token)
    return sum(cart)
