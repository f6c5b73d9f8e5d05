"""change.py FROM TO ENTRY OLD NEW: a copy of a .pt2 file with one entry changed."""
import sys
import zipfile

source, target, entry, old, new = sys.argv[1:]
with zipfile.ZipFile(source) as archive, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as copy:
    for name in archive.namelist():
        data = archive.read(name)
        if name.split("/", 1)[1] == entry:
            assert old.encode() in data
            data = data.replace(old.encode(), new.encode())
        copy.writestr(name, data)
