# ends: exited 0
# result: last
import sys
print("RESULT: last")
sys.stdout.close()
