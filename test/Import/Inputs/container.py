"""container.py FILE ENTRY...: a zip file with one folder and empty entries; ENTRY=TEXT has a text."""
import sys
import zipfile

with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_STORED) as archive:
    for entry in sys.argv[2:]:
        name, _, text = entry.partition("=")
        archive.writestr("model/" + name, text)
