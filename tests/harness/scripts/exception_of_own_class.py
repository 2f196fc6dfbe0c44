# ends: raised __main__.Mismatch
class Mismatch(AssertionError):
    def __str__(self):
        return "expected \u2248 1.0, got \U0001f9ea"


raise Mismatch()
