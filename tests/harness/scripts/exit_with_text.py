# ends: exited 1
import sys
sys.exit("the values differ")
