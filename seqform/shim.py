from abstraction.criteria import reduction


class R:
    takes_threshold = False
    lossless = True

    def __init__(s, n):
        s.name = n

    def accepts(s, g):
        return None

    def apply(s, g, o=None):
        return reduction(s.name, g).apply(g)


EQUITABLE = R("equitable")
SUIT = R("suit")
