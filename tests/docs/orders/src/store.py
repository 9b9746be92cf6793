ORDERS = []


def save_order(order):
    ORDERS.append(order)
