"""Paying for a cart."""


def pay(cents):
    return cents > 0
