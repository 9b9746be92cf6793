def charge_card(card, cents):
    return card.take(cents)
