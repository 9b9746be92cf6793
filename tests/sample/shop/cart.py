"""Carts and what is in them."""

from dataclasses import dataclass, field
from decimal import Decimal

from .prices import discount

MAX_ITEMS = 100


@dataclass
class Item:
    """One kind of thing in a cart."""

    name: str
    price: Decimal
    count: int = 1

    @property
    def total(self) -> Decimal:
        """The price of all of them."""
        return self.price * self.count


class Cart:
    """What somebody is about to buy."""

    def __init__(self, owner: str):
        self.owner = owner
        self._items: list[Item] = []

    def add(self, item: Item) -> None:
        """Puts an item into the cart. Counts of the same item add up."""
        if len(self._items) >= MAX_ITEMS:
            raise OverflowError("the cart is full")
        for known in self._items:
            if known.name == item.name and known.price == item.price:
                known.count += item.count
                return
        self._items.append(item)

    def total(self, *, member: bool = False) -> Decimal:
        """What all of it costs."""
        sum_ = sum((item.total for item in self._items), Decimal(0))
        return discount(sum_) if member else sum_
