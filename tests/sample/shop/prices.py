"""Prices and how they are lowered."""

from decimal import Decimal

RATE = Decimal("0.9")


def discount(price: Decimal, rate: Decimal = RATE) -> Decimal:
    """The price for members."""
    return price * rate
