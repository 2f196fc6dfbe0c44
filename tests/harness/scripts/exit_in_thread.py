# ends: exited 0
# result: main goes on
import sys
import threading

thread = threading.Thread(target=sys.exit, args=(5,))
thread.start()
thread.join()
print("RESULT: main goes on")
