"""What was checked and what became of it: a line for each, and how the program ends."""

from collections.abc import Iterable

# Problems of one check that are shown, and letters of each.
SHOWN = 10
LETTERS = 400


class Checks:
    """The checks of one program."""

    def __init__(self) -> None:
        self.count = 0
        self.failed = 0

    def done(self, title: str, problems: Iterable[str] = (), note: str = "") -> None:
        """One more: it failed if there is a problem."""
        problems = list(problems)
        self.count += 1
        self.failed += bool(problems)
        print(f"{'FAILED' if problems else 'ok    '} {title}{f': {note}' if note else ''}", flush=True)
        for problem in problems[:SHOWN]:
            print(f"         {problem[:LETTERS]}")
        if len(problems) > SHOWN:
            print(f"         and {len(problems) - SHOWN} more")

    def end(self) -> int:
        """What the program ends with."""
        if self.count == 0:
            print("nothing was checked")
            return 1
        print(f"{self.count} checks, {self.failed} failed")
        return 1 if self.failed else 0
