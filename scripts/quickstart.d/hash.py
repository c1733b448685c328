"""hash.py LIST ALGORITHM... - one line `index algorithm digest` for every file of the NUL-separated LIST."""
import sys

import hashcore

with open(sys.argv[1], "rb") as f:
    paths = f.read().split(b"\0")[:-1]
for index, path in enumerate(paths):
    for name, h in zip(sys.argv[2:], hashcore.file_digest(path, sys.argv[2:])):
        print(index, name, h.hexdigest(), flush=name == sys.argv[-1])
