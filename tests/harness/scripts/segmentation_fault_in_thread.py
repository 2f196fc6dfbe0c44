# ends: signalled SIGSEGV
import ctypes
import threading

thread = threading.Thread(target=ctypes.string_at, args=(0,), name="crashing")
thread.start()
thread.join()
