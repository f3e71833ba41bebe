"""Packs files for the corpus of the target `pages`: python3 pack_pages.py data.mdb >Corpus/pages/NAME.

Runs of zeros are left out: 2 bytes with the number of zeros, 2 with that of the bytes behind them, and these.
"""

import re
import struct
import sys

data = open(sys.argv[1], "rb").read()
packed = b""
place = 0
zeros = 0
for run in re.finditer(rb"\0{8,}|(?:(?!\0{8}).)+", data, re.DOTALL):
    text = run.group()
    if text.startswith(b"\0" * 8) and not text.strip(b"\0"):
        zeros += len(text)
        while zeros > 0xFFFF:
            packed += struct.pack("<HH", 0xFFFF, 0)
            zeros -= 0xFFFF
        continue
    while text:
        packed += struct.pack("<HH", zeros, min(len(text), 0xFFFF)) + text[:0xFFFF]
        text, zeros = text[0xFFFF:], 0
packed += struct.pack("<HH", zeros, 0)
sys.stdout.buffer.write(packed)
