# ends: exited 0
# result: 1970-01-01T00:00:00+00:00
import datetime
import locale
import sys
import time

print(locale.getlocale(), locale.getpreferredencoding(), sys.getfilesystemencoding(), sys.stdout.encoding)
print(time.tzname, time.timezone, time.strftime("%c", time.gmtime(0)))
print("RESULT:", datetime.datetime.fromtimestamp(0).astimezone().isoformat())
