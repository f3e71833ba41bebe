#!/usr/bin/env python3
"""Writes Sources/Store/CObjectBoxFullText/UnicodeTables.c, the tables of the tokenizer.

usage: Scripts/unicode-tables.py [FOLDER]

FOLDER has the files of the Unicode Character Database (default: those of Debian's package
unicode-data). The tables are part of the file format of full-text indexes: another version of
Unicode needs another version of the tokenizer.
"""

import os
import sys

FOLDER = sys.argv[1] if len(sys.argv) > 1 else "/usr/share/unicode"
OUTPUT = "Sources/Store/CObjectBoxFullText/UnicodeTables.c"
SCALARS = 0x110000
BLOCK = 128

# The classes in the order of the C enumeration.
CLASSES = """Other CR LF Newline Extend ZWJ Format Katakana Hebrew_Letter ALetter Single_Quote
Double_Quote MidNumLet MidLetter MidNum Numeric ExtendNumLet Regional_Indicator WSegSpace
ExtendedPictographic Number Pair""".split()
MAPPED, UNSTABLE = 0x20, 0x40

# Letters without a decomposition that people also write without their stroke, or as two letters.
PLAIN_LETTERS = {
    "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "ŧ": "t",
    "þ": "th",
}


def rows(name):
    """Yields first scalar, last scalar and fields of each line of a file."""
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        for line in file:
            fields = [field.strip() for field in line.split("#")[0].split(";")]
            if fields[0]:
                first, _, last = fields[0].partition("..")
                yield int(first, 16), int(last or first, 16), fields[1:]


def values(name):
    """Returns the value of each scalar that a file lists."""
    return {s: f[0] for first, last, f in rows(name) for s in range(first, last + 1)}


def scalars(text):
    return [int(part, 16) for part in text.split()]


def version():
    with open(os.path.join(FOLDER, "DerivedNormalizationProps.txt"), encoding="utf-8") as file:
        return file.readline().split("-")[1].split(".txt")[0]


categories, combining, canonical = {}, {}, {}
start = None
for first, _, fields in rows("UnicodeData.txt"):
    name = fields[0]
    if name.endswith("First>"):
        start = first
        continue
    covered = range(start, first + 1) if name.endswith("Last>") else [first]
    for scalar in covered:
        categories[scalar] = fields[1]
        if fields[2] != "0":
            combining[scalar] = int(fields[2])
        if fields[4] and not fields[4].startswith("<"):
            canonical[scalar] = scalars(fields[4])

folded, excluded, unstable = {}, set(), set(combining)
for first, last, fields in rows("DerivedNormalizationProps.txt"):
    for scalar in range(first, last + 1):
        if fields[0] == "NFKC_CF":
            folded[scalar] = scalars(fields[1])
        elif fields[0] == "Full_Composition_Exclusion":
            excluded.add(scalar)
        elif fields[0] == "NFC_QC":
            unstable.add(scalar)

# Typographic apostrophes: stemmers and readers know one.
for quote in (0x2018, 0x2019, 0x201B):
    folded[quote] = [0x27]

breaks = values("auxiliary/WordBreakProperty.txt")
scripts = values("Scripts.txt")
line_breaks = values("LineBreak.txt")
pictographs = {
    s
    for first, last, fields in rows("emoji/emoji-data.txt")
    if fields[0] == "Extended_Pictographic"
    for s in range(first, last + 1)
}


# A colon between letters separates words, as in the rules of CLDR. The double hyphen of Katakana is
# punctuation, and sound marks that stand alone are no letters.
SEPARATORS = {0x3A, 0xFE13, 0xFE55, 0xFF1A, 0x309B, 0x309C, 0x30A0}


def word_class(scalar):
    if scalar in SEPARATORS:
        return "Other"
    given = breaks.get(scalar, "Other")
    kind = categories.get(scalar, "Cn")[0]
    if given == "Katakana":
        return "Pair"
    if kind in "LNM" and given not in ("Extend", "Format", "ZWJ", "Numeric"):
        # Letters that the standard leaves to dictionaries.
        ideographic = scripts.get(scalar) in ("Han", "Hiragana") or line_breaks.get(scalar) == "SA"
        if ideographic or (given == "Other" and kind == "L"):
            return "Pair"
    if given != "Other":
        return given
    if kind == "N":
        return "Number"
    return "ExtendedPictographic" if scalar in pictographs else "Other"


def class_byte(scalar):
    byte = CLASSES.index(word_class(scalar))
    byte |= MAPPED if scalar in folded else 0
    return byte | (UNSTABLE if scalar in unstable else 0)


def blocks():
    """Returns the index of each block, without the last equal ones, and the distinct blocks."""
    classes = bytes(class_byte(scalar) for scalar in range(SCALARS))
    known, index = {}, []
    for place in range(0, SCALARS, BLOCK):
        index.append(known.setdefault(classes[place:place + BLOCK], len(known)))
    while index[-1] == index[-2]:
        index.pop()
    assert len(known) <= 256
    assert classes[-1] == 0 and index[-1] == known[bytes(BLOCK)]
    return index[:-1], list(known)


def runs():
    """Returns scalars that fold to one scalar, or to none, as runs of one distance and stride."""
    result = []
    for scalar, mapping in sorted(folded.items()):
        if len(mapping) > 1:
            continue
        delta = mapping[0] - scalar if mapping else None
        if result and result[-1][3] == delta:
            first, last, stride, _ = result[-1]
            step = scalar - last
            if step == stride or (first == last and step in (1, 2)):
                result[-1] = (first, scalar, step, delta)
                continue
        result.append((scalar, scalar, 1, delta))
    return result


def ranges(pairs):
    """Returns successive scalars of one value as ranges."""
    result = []
    for scalar, value in sorted(pairs.items()):
        if result and result[-1][1] == scalar - 1 and result[-1][2] == value:
            result[-1] = (result[-1][0], scalar, value)
        else:
            result.append((scalar, scalar, value))
    return result


def table(declaration, items):
    lines, line = [], " "
    for item in items:
        if len(line) + len(item) + 2 > 118:
            lines.append(line)
            line = " "
        line += f" {item},"
    return f"{declaration} = {{\n" + "\n".join(lines + [line]) + "\n};\n"


def structures(name, fields, items):
    return [
        table(f"const struct {fields} {name}[]", items),
        f"const uint32_t {name}_count = sizeof {name} / sizeof *{name};\n",
    ]


index, distinct = blocks()
pool, strings = [], []
for scalar, mapping in sorted(folded.items()):
    if len(mapping) > 1:
        strings.append(f"{{{scalar:#x}, {len(pool)}, {len(mapping)}}}")
        pool += mapping
composed = sorted((s, *parts) for s, parts in canonical.items() if len(parts) == 2 and s not in excluded)
by_parts = sorted(range(len(composed)), key=lambda place: composed[place][1:])

parts = [
    "// Made by Scripts/unicode-tables.py; do not edit.\n//\n"
    f"// Unicode {version()}. Unicode data files are copyright of Unicode, Inc., under the Unicode "
    "License.\n\n"
    '#include "UnicodeTables.h"\n',
    f'const char *obx_unicode_version(void) {{ return "{version()}"; }}\n',
    table("const uint8_t obx_unicode_index[]", map(str, index)),
    f"const uint32_t obx_unicode_index_count = {len(index)};\n",
    table("const uint8_t obx_unicode_blocks[]", [str(b) for block in distinct for b in block]),
    *structures("obx_fold_runs", "obx_fold_run", [
        f"{{{a:#x}, {b:#x}, {stride}, {'OBX_FOLD_NONE' if delta is None else delta}}}"
        for a, b, stride, delta in runs()]),
    *structures("obx_fold_strings", "obx_fold_string", strings),
    table("const uint32_t obx_fold_pool[]", [f"{scalar:#x}" for scalar in pool]),
    *structures("obx_compositions", "obx_composition",
                [f"{{{s:#x}, {a:#x}, {b:#x}}}" for s, a, b in composed]),
    table("const uint16_t obx_compositions_by_parts[]", map(str, by_parts)),
    *structures("obx_combining_ranges", "obx_combining_range",
                [f"{{{a:#x}, {b:#x}, {value}}}" for a, b, value in ranges(combining)]),
    *structures("obx_plain_letters", "obx_plain_letter",
                [f'{{{ord(letter):#x}, "{plain}"}}' for letter, plain in sorted(PLAIN_LETTERS.items())]),
]
with open(OUTPUT, "w", encoding="utf-8") as file:
    file.write("\n".join(parts))
print(f"{OUTPUT}: Unicode {version()}, {len(distinct)} blocks, {len(runs())} runs, {len(strings)} strings")
