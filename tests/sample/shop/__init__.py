"""A small shop: carts, prices and stock."""
