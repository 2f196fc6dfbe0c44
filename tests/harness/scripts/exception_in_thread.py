# ends: exited 0
# result: main goes on
import threading


def fails():
    raise ValueError("in a thread")


thread = threading.Thread(target=fails, name="worker")
thread.start()
thread.join()
print("RESULT: main goes on")
