# More than is kept: the end is lost, in both ways alike.
# ends: exited 0
for line in range(100_000):
    print(line, "x" * 60)
