from post.letters import Letter, Parcel


def by_road(letter):
    return letter.pack()


def by_air(letter):
    return "air " + letter.pack()


WAYS = {"road": by_road, "air": by_air}


def send(letter, way):
    return WAYS[way](letter)


def retry(work, times=3):
    return [work() for _ in range(times)]


def by_size(letters: list[Letter]):
    return sorted(letters, key=lambda letter: letter.size)


def hand_over(carrier):
    carrier.carry(send(Letter("Ada", "hello"), "road"))


def everything():
    retry(lambda: send(Parcel("Bob", "a book"), "air"))
