# ends: exited 0
# result: freed
class Noisy:
    def __del__(self):
        print("RESULT: freed")


def function_of_this_module():
    return first


first, second = Noisy(), Noisy.__new__(Noisy)
first.other, second.other = second, first
print("end")
