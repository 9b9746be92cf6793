from post.letters import Letter
from post.office import by_size


def test_the_smallest_comes_first():
    assert by_size([Letter("a", "long"), Letter("b", "")])
