"""Usage: note.py CHECKPOINT NAME [VALUE]. What the metadata of a safetensors file says of NAME becomes VALUE, or goes."""
import json
import sys

path, name = sys.argv[1:3]
with open(path, "rb") as file:
    length = int.from_bytes(file.read(8), "little")
    header, tensors = json.loads(file.read(length)), file.read()
header["__metadata__"].pop(name, None)
if len(sys.argv) > 3:
    header["__metadata__"][name] = sys.argv[3]
text = json.dumps(header).encode()
text += b" " * (-len(text) % 8)
with open(path, "wb") as file:
    file.write(len(text).to_bytes(8, "little") + text + tensors)
