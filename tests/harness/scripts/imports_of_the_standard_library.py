# ends: exited 0
# result: 3
import ast, base64, collections, concurrent.futures, contextlib, csv, dataclasses, decimal, difflib, enum, fractions
import functools, hashlib, heapq, html, io, itertools, json, math, operator, pathlib, platform, queue, re, shutil
import sqlite3, statistics, string, struct, tarfile, textwrap, timeit, traceback, typing, unittest, uuid, zipfile, zoneinfo

import torch
print(decimal.Decimal(1) / 3, fractions.Fraction(1, 3), hashlib.sha256(b"x").hexdigest(), platform.python_implementation())
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    print("RESULT:", sum(pool.map(lambda x: int(torch.ones(x).sum()), range(3))))
