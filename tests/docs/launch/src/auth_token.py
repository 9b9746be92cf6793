"""Tokens that prove who pays."""


def check(token):
    return token.startswith("shop-")
