# ends: signalled SIGTERM
# result: before
import os
import signal
print("RESULT: before")
os.kill(os.getpid(), signal.SIGTERM)
