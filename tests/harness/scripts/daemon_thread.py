# ends: exited 0
# result: main is done
import threading
import time


def forever():
    while True:
        time.sleep(600)


threading.Thread(target=forever, daemon=True).start()
print("RESULT: main is done")
