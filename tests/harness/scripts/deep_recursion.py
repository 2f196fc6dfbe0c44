# ends: raised RecursionError
import sys

print(sys.getrecursionlimit())


def down(n):
    return down(n + 1) + 1


down(0)
