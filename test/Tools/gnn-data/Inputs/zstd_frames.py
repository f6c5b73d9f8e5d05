"""Packs the standard input as zstd does, in two frames of blocks that are not compressed (RFC 8878), for machines without zstd."""
import sys


def frame(data):
    blocks = [data[at : at + 1000] for at in range(0, len(data), 1000)]
    packed = b"\x28\xb5\x2f\xfd\xa0" + len(data).to_bytes(4, "little")  # one segment, its size in 4 bytes
    for number, block in enumerate(blocks):
        packed += (len(block) << 3 | (number + 1 == len(blocks))).to_bytes(3, "little") + block
    return packed


text = sys.stdin.buffer.read()
sys.stdout.buffer.write(frame(text[: len(text) // 2]) + frame(text[len(text) // 2 :]))
