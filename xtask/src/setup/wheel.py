"""Takes files out of a wheel, or their checksums.

wheel.py unpack WHEEL FOLDER [NAME PATH]...   member NAME to FOLDER/PATH
wheel.py checksums FOLDER [PATH]...

Prints `sha256 size path` for each file.
"""

import hashlib
import os
import sys
import zipfile

CHUNK = 1 << 20


def stamp(folder, path):
    digest = hashlib.sha256()
    size = 0
    with open(os.path.join(folder, path), "rb") as file:
        while chunk := file.read(CHUNK):
            digest.update(chunk)
            size += len(chunk)
    print(digest.hexdigest(), size, path)


def unpack(wheel, folder, *members):
    with zipfile.ZipFile(wheel) as archive:
        for name, path in zip(members[::2], members[1::2]):
            target = os.path.join(folder, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with archive.open(name) as source, open(target, "wb") as file:
                while chunk := source.read(CHUNK):
                    file.write(chunk)
            # A wheel built elsewhere may not carry the permissions of its files.
            os.chmod(target, 0o755 if "bin" in path.split("/")[:-1] else 0o644)
            stamp(folder, path)


def checksums(folder, *paths):
    for path in paths:
        stamp(folder, path)


{"unpack": unpack, "checksums": checksums}[sys.argv[1]](*sys.argv[2:])
