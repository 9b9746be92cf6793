import json


class Letter:
    def __init__(self, to, text):
        self.to = to
        self.text = text

    @property
    def size(self):
        return len(self.text)

    def pack(self):
        return json.dumps([self.to, self.text])


class Parcel(Letter):
    def pack(self):
        return "[" + super().pack() + "]"
