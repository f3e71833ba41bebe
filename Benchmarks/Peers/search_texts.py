#!/usr/bin/env python3
"""Makes the texts of the benchmark of searches from Debian packages of dictionaries and manuals.

usage: search_texts.py FOLDER COUNT SHORT      numbers of texts; writes FOLDER/texts.tsv and FOLDER/short.tsv

Half of the texts are paragraphs of 20 to 200 words, half are mixes of sentences. Short texts are parts of 20 words of
them. A line is a label below 100, a tab and a text. Texts are ASCII, without characters inside of words: all programs
find the same words in them. Ends with 69 if a package is missing.
"""
import gzip
import os
import random
import re
import subprocess
import sys

PACKAGES = {
    "dict-elements": ".dict.dz",
    "dict-foldoc": ".dict.dz",
    "dict-gcide": ".dict.dz",
    "dict-jargon": ".dict.dz",
    "dict-vera": ".dict.dz",
    "dict-wn": ".dict.dz",
}
SHORT_LENGTH = 20


def sources():
    """Returns the texts of the packages."""
    texts, missing = [], []
    for package, end in PACKAGES.items():
        listed = subprocess.run(["dpkg", "-L", package], capture_output=True, text=True).stdout.split()
        paths = sorted(path for path in listed if path.endswith(end) and os.path.exists(path))
        if not paths:
            missing.append(package)
        for path in paths:
            with gzip.open(path, "rt", errors="ignore") as file:
                texts.append(file.read())
    if missing:
        print(f"search_texts.py: there is no text; apt-get install {' '.join(missing)}", file=sys.stderr)
        sys.exit(69)
    return texts


def cleaned(paragraph):
    paragraph = re.sub(r"\[1913 Webster\]|\[PJC\]|\[WordNet 1\.5\]", " ", paragraph)
    # Some characters belong to a word for some programs: "swift.org", "don't", "data_race".
    paragraph = re.sub(r"(?<=\w)[.,:;'](?=\w)|[\[\]{}\\\"<>|_]", " ", paragraph)
    words = [word for word in paragraph.split() if len(word) <= 40]
    return words


def main():
    folder, count, short_count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    chance = random.Random(7)
    paragraphs, sentences = [], []
    for text in sources():
        text = text.encode("ascii", "ignore").decode()
        for paragraph in re.split(r"\n\s*\n|\n(?=\S)", text):
            words = cleaned(paragraph)
            if 20 <= len(words) <= 200:
                paragraphs.append(words)
            for sentence in re.split(r"(?<=[.;!?])\s+", " ".join(words)):
                if 4 <= len(sentence.split()) <= 60:
                    sentences.append(sentence.split())
    chance.shuffle(paragraphs)
    texts = paragraphs[: count // 2]
    while len(texts) < count:
        wanted = min(200, max(20, int(chance.lognormvariate(4.0, 0.55))))
        words = []
        while len(words) < wanted:
            words += chance.choice(sentences)
        texts.append(words[:200])
    chance.shuffle(texts)
    parts = (words[start : start + SHORT_LENGTH] for words in texts for start in range(0, len(words), SHORT_LENGTH))
    for name, limit, all_texts in [("texts", count, texts), ("short", short_count, parts)]:
        with open(os.path.join(folder, name + ".tsv"), "w") as file:
            for _, words in zip(range(limit), all_texts):
                file.write(f"{chance.randrange(100)}\t{' '.join(words)}\n")


main()
