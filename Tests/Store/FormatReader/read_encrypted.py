#!/usr/bin/env python3
"""Opens encrypted stores by Documentation/EncryptedFormat.md alone, and compares them with what is known of them.

usage: read_encrypted.py             opens the fixtures
       read_encrypted.py FOLDER KEY [OUTPUT]
                                     opens a store; KEY has 64 hexadecimal digits, or is `passphrase:` and a text;
                                     writes the store's data.mdb to OUTPUT

Needs libsodium, as a shared library. Prints a line for each store; exits with 1 when one cannot be opened.
"""
import ctypes
import ctypes.util
import hashlib
import os
import struct
import sys
import unicodedata

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", "..", ".."))
FIXTURES = os.path.join(ROOT, "Tests", "Fixtures", "EncryptedStores")
BLOCK, PIECE, TAG = 4096, 65520, 16
ALL_ONES = (1 << 64) - 1


class Damaged(Exception):
    pass


class WrongKey(Exception):
    pass


def load_sodium():
    name = ctypes.util.find_library("sodium")
    if not name:
        print("SKIPPED: no libsodium; install libsodium23, or libsodium with Homebrew")
        sys.exit(0)
    library = ctypes.CDLL(name)
    library.sodium_init()
    return library


SODIUM = load_sodium()


def opened(sealed, nonce, authenticated, key):
    """Decrypts bytes that end with their tag; None when they are not authentic."""
    text = ctypes.create_string_buffer(max(1, len(sealed) - TAG))
    code = SODIUM.crypto_aead_xchacha20poly1305_ietf_decrypt(
        text, None, None, sealed, ctypes.c_ulonglong(len(sealed)), authenticated,
        ctypes.c_ulonglong(len(authenticated)), nonce, key)
    return text.raw[:len(sealed) - TAG] if code == 0 else None


def blake(data, size, key=b""):
    return hashlib.blake2b(data, digest_size=size, key=key).digest()


def derived(data_key, number):
    key = ctypes.create_string_buffer(32)
    SODIUM.crypto_kdf_derive_from_key(key, ctypes.c_size_t(32), ctypes.c_uint64(number), b"objbox01", data_key)
    return key.raw


def nonce(seed, number):
    return seed + struct.pack("<Q", number)


class Head:
    """The file sealed.head."""

    def __init__(self, data, program_key):
        half = len(data) // 2
        self.copies = [data[:half], data[half:]]
        whole = [copy[:144] for copy in self.copies
                 if copy[:8] == b"OBXSEAL1" and blake(copy[:144], 16) == copy[144:160]]
        if not whole:
            raise Damaged("the head")
        self.begin = begin = whole[0]
        form, suite, kind, passes, memory = struct.unpack("<IIIIQ", begin[8:32])
        if form != 2 or suite != 1:
            raise Damaged(f"format {form}, algorithms {suite}")
        self.data_key = opened(begin[72:120], begin[48:72], begin[:48],
                               self.wrapping(program_key, kind, passes, memory))
        if self.data_key is None:
            raise WrongKey()
        self.read_body(struct.unpack("<Q", begin[136:144])[0])

    def wrapping(self, program_key, kind, passes, memory):
        if kind == 0:
            if not isinstance(program_key, bytes):
                raise WrongKey()
            return program_key
        if not isinstance(program_key, str):
            raise WrongKey()
        if kind != 2:
            raise Damaged(f"the kind {kind} of a key")
        key, text = ctypes.create_string_buffer(32), unicodedata.normalize("NFC", program_key).encode()
        code = SODIUM.crypto_pwhash(key, ctypes.c_ulonglong(32), text, ctypes.c_ulonglong(len(text)), self.begin[32:48],
                                    ctypes.c_ulonglong(passes), ctypes.c_size_t(memory), ctypes.c_int(2))
        if code:
            raise Damaged("the costs of argon2id")
        return key.raw

    def read_body(self, size):
        body, key, number = b"", derived(self.data_key, 3), 0
        while len(body) < size:
            place, count = BLOCK + number * (PIECE + TAG), min(PIECE, size - len(body)) + TAG
            pieces = (opened(copy[place:place + count], nonce(self.begin[120:136], number), self.begin, key)
                      for copy in self.copies)
            piece = next((piece for piece in pieces if piece is not None), None)
            if piece is None:
                raise Damaged(f"piece {number} of the head")
            body, number = body + piece, number + 1
        self.store, self.lmdb_head = body[:16], body[64:216]
        self.chain = blake(body[32:64] + self.begin[120:136], 32)
        self.version, self.page_size, self.log_blocks = struct.unpack("<QII", body[16:32])
        self.pages_id, count = struct.unpack("<QQ", body[216:232])
        self.seals = {}
        for index in range(count):
            entry = body[232 + 48 * index:280 + 48 * index]
            page, version = struct.unpack("<QQ", entry[:16])
            self.seals[page] = (version, entry[16:32], entry[32:48])


class Image:
    """An opened store: `data_file` has the bytes of its data.mdb."""

    def __init__(self, folder, program_key):
        with open(os.path.join(folder, "sealed.head"), "rb") as file:
            head = Head(file.read(), program_key)
        with open(os.path.join(folder, f"sealed.pages-{head.pages_id:016x}"), "rb") as file:
            self.file = file.read()
        self.head, self.page_key, self.record_key = head, derived(head.data_key, 1), derived(head.data_key, 2)
        self.version, self.chain, self.lmdb_head = head.version, head.chain, head.lmdb_head
        self.seals, self.before = dict(head.seals), None
        self.read_log()
        self.data_file = self.read_pages()

    def block(self, number):
        return self.file[(1 + number) * BLOCK:(2 + number) * BLOCK]

    def mark(self, number):
        """The version and the chain of a mark; None for another block."""
        block = self.block(number)
        if block[:8] != b"OBXDONE1" or blake(block[:48], 32, self.record_key) != block[48:80]:
            return None
        return struct.unpack("<Q", block[8:16])[0], block[16:48]

    def read_log(self):
        number = 0
        while number < self.head.log_blocks:
            count = self.read_record(number)
            if not count:
                break
            number += count
        self.is_marked = (self.before is None or self.mark(number) == (self.version, self.chain)
                          or self.begun(number) == self.version + 1)
        for block in range(number, self.head.log_blocks):
            mark = self.mark(block)
            if (mark and mark[0] > self.version) or self.begun(block) > self.version + 1:
                raise Damaged("a record of the log")

    def begun(self, number):
        """The version of the record that begins at a block; 0 for another block."""
        begin = self.block(number)
        code = blake(begin[:40] + self.head.store, 16, self.record_key)[:8]
        return struct.unpack("<Q", begin[8:16])[0] if begin[:8] == b"OBXCOMM1" and begin[40:48] == code else 0

    def read_record(self, number):
        """Follows a record; returns its number of blocks, and 0 when it does not open."""
        place = (1 + number) * BLOCK
        begin = self.file[place:place + 48]
        version, size = struct.unpack("<Q", begin[8:16])[0], struct.unpack("<I", begin[32:36])[0]
        if begin[:8] != b"OBXCOMM1" or version != self.version + 1:
            return 0
        sealed, seed = self.file[place + 48:place + 48 + size + TAG], begin[16:32]
        body = opened(sealed, nonce(seed, ALL_ONES), begin + self.head.store + self.chain, self.record_key)
        if body is None:
            return 0
        self.before = (self.version, self.chain, self.lmdb_head, dict(self.seals))
        added, removed = struct.unpack("<II", body[152:160])
        for index in range(removed):
            place = 168 + 24 * added + 8 * index
            self.seals.pop(struct.unpack("<Q", body[place:place + 8])[0], None)
        for index in range(added):
            entry = body[168 + 24 * index:192 + 24 * index]
            self.seals[struct.unpack("<Q", entry[:8])[0]] = (version, seed, entry[8:])
        self.version, self.lmdb_head = version, body[:152]
        self.chain = blake(self.chain + sealed[-TAG:], 32)
        return (48 + size + TAG + BLOCK - 1) // BLOCK

    def read_pages(self):
        pages, bad = self.open_all()
        if bad and not self.is_marked and all(self.seals[page][0] == self.version for page in bad):
            self.version, self.chain, self.lmdb_head, self.seals = self.before
            pages, bad = self.open_all()
        if bad:
            raise Damaged(f"page {bad[0]}")
        if not self.version:
            return b""
        size = self.head.page_size
        data = bytearray((struct.unpack("<Q", self.lmdb_head[136:144])[0] + 1) * size)
        for number in range(2):
            version = self.version if self.version % 2 == number else self.version - 1
            page = struct.pack("<Q", number) + self.lmdb_head[8:144] + struct.pack("<Q", version)
            data[number * size:number * size + len(page)] = page
        for number, page in pages.items():
            data[number * size:(number + 1) * size] = page
        return bytes(data)

    def open_all(self):
        pages, bad, size = {}, [], self.head.page_size
        for number, (version, seed, tag) in self.seals.items():
            place = (1 + self.head.log_blocks) * BLOCK + number * size
            data = self.head.store + struct.pack("<QQ", number, version)
            page = opened(self.file[place:place + size] + tag, nonce(seed, number), data, self.page_key)
            if page is None:
                bad.append(number)
            pages[number] = page
        return pages, bad


def program_key(text):
    return text[len("passphrase:"):] if text.startswith("passphrase:") else bytes.fromhex(text)


def check_fixture(name):
    folder = os.path.join(FIXTURES, name)
    with open(os.path.join(folder, "key.txt")) as file:
        key = file.read().strip()
    image = Image(folder, program_key(key))
    for word in (b"Ada", b"Grace", b"Alan"):
        if word not in image.data_file:
            raise Damaged(f"it has no '{word.decode()}'")
    try:
        Image(folder, bytes(32))
        raise Damaged("it opens with another key")
    except WrongKey:
        pass
    return image


def main(arguments):
    if arguments:
        image = Image(arguments[0], program_key(arguments[1]))
        if len(arguments) > 2:
            with open(arguments[2], "wb") as file:
                file.write(image.data_file)
        print(f"{arguments[0]}: version {image.version}, {len(image.seals)} pages")
        return 0
    failed = False
    for name in sorted(os.listdir(FIXTURES)):
        try:
            image = check_fixture(name)
            print(f"{name}: version {image.version}, {len(image.seals)} pages")
        except (Damaged, WrongKey) as error:
            failed = True
            print(f"{name}: {error!r}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
