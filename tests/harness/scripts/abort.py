# ends: signalled SIGABRT
# result: before
import os
print("RESULT: before")
os.abort()
