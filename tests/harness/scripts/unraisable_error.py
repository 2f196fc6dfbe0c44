# ends: exited 0
# result: goes on
class Bad:
    def __del__(self):
        raise ValueError("in a destructor")


Bad()
print("RESULT: goes on")
