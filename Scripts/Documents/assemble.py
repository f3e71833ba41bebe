"""Assembles a module's DocC catalogue, with the documents of Documentation/ as its articles.

usage: assemble.py CATALOGUE GRAPHS OUTPUT [DOCUMENTS]

The documents stay Markdown that a forge shows. In the articles, links between documents become links of DocC. Links to
other files of the repository become plain text, since the site lacks these files. Names of public symbols become links.
In the catalogue, a list item with the name of a symbol stands for all symbols of that name; DocC distinguishes these by
hashes.
"""

import json
import pathlib
import re
import shutil
import sys

FENCE = re.compile(r"^(```.*?^```[^\n]*$)", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"<!--.*?-->\n*", re.DOTALL)
# The renderer finds pictures by file name, without a folder.
PICTURE = re.compile(r"(!\[[^\]]*\]\()[^)\s]*/([^)/\s]+\.(?:png|svg)\))")
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s]+)\)")
CODE = re.compile(r"(?<![\[`])`([A-Z][A-Za-z]+(?:\.[A-Za-z]+)*)`(?![\]`])")


def slug(heading):
    """Returns a forge's anchor for a heading."""
    plain = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
    return plain.strip().replace(" ", "-")


def anchors(text):
    """Returns a dictionary from a forge's anchors of a document to DocC's."""
    result = {}
    for heading in re.findall(r"^#{2,4} (.+)$", FENCE.sub("", text), re.MULTILINE):
        plain = re.sub(r"[`*]", "", heading)
        result[slug(heading)] = re.sub(r"[\"'?:,<>&]", "", plain).replace(" ", "-")
    return result


def suffix(precise):
    """Returns DocC's suffix to distinguish symbols of one name: FNV-1 of the symbol's identifier, in 24 bits."""
    value = 2166136261
    for byte in precise.encode():
        value = (value * 16777619) & 0xFFFFFFFF ^ byte
    value = value >> 24 ^ value & 0xFFFFFF
    text = ""
    while value:
        value, digit = divmod(value, 36)
        text = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + text
    return text


class Symbols:
    """The public symbols of a module, and its extensions of other modules' types."""

    def __init__(self, folder, module):
        self.types = set()
        self.overloads = {}
        for path in sorted(pathlib.Path(folder).glob(f"{module}*.symbols.json")):
            # `A@B.symbols.json` has A's extensions of B's types; DocC shows these below the module B.
            extended = path.name.removesuffix(".symbols.json").split("@")[1:]
            for symbol in json.loads(path.read_text())["symbols"]:
                parts = extended + symbol["pathComponents"]
                kind = symbol["kind"]["identifier"]
                if kind == "swift.extension":
                    continue
                if kind in {"swift.class", "swift.struct", "swift.enum", "swift.protocol"}:
                    self.types.add(".".join(parts))
                precise = symbol["identifier"]["precise"]
                self.overloads.setdefault("/".join(parts), []).append(precise)

    def curation(self, text):
        """Returns a catalogue page in which each item that names overloads is replaced by all of them."""
        page = re.match(r"# ``(?:\w+/)?([^`]+)``", text)
        prefix = page.group(1) + "/" if page else ""

        def items(match):
            name = match.group(1)
            found = self.overloads.get(prefix + name) or self.overloads.get(name) or []
            # A property and a method may share a name; they are not overloads.
            if len(found) < 2:
                return match.group(0)
            return "\n".join(f"- ``{name}-{suffix(precise)}``" for precise in found)

        return re.sub(r"^- ``([^`]+)``$", items, text, flags=re.MULTILINE)


class Document:
    def __init__(self, path):
        self.path = path
        self.text = path.read_text()
        self.anchors = anchors(self.text)
        self.name = path.stem
        self.title = re.search(r"^# (.+)$", self.text, re.MULTILINE).group(1)


class Assembly:
    def __init__(self, documents, symbols):
        self.documents = {document.path.name: document for document in documents}
        self.symbols = symbols
        self.faults = []
        for document in documents:
            # An article and a type of one name would have the same address.
            if document.name in symbols:
                document.name += "-Guide"

    def link(self, document, match):
        text, target = match.groups()
        if re.match(r"[a-z]+:", target):
            return match.group(0)
        name, _, anchor = target.partition("#")
        path = (document.path.parent / name).resolve() if name else document.path.resolve()
        if not path.exists():
            self.faults.append(f"{document.path}: nothing is at '{target}'")
            return text
        other = self.documents.get(path.name)
        if other is None or other.path.resolve() != path:
            if anchor and path.suffix == ".md" and anchor not in anchors(path.read_text()):
                self.faults.append(f"{document.path}: '{path.name}' has no heading '{anchor}'")
            if pathlib.Path(name).suffix in {".png", ".svg"}:
                return text
            return text if "`" in text else f"`{text}`"
        if anchor and anchor not in other.anchors:
            self.faults.append(f"{document.path}: '{other.path.name}' has no heading '{anchor}'")
            return text
        address = "doc:" + other.name + ("#" + other.anchors[anchor] if anchor else "")
        return f"<{address}>" if text == other.path.name and not anchor else f"[{text}]({address})"

    def name(self, match):
        path = match.group(1)
        if any(path.split(".")[0] == document.name for document in self.documents.values()):
            return match.group(0)  # The article has the same address as the type.
        return f"``{path.replace('.', '/')}``" if path in self.symbols else match.group(0)

    def article(self, document):
        """Returns a document's text as an article."""
        parts = FENCE.split(document.text)
        for index in range(0, len(parts), 2):
            lines = parts[index].split("\n")
            for number, line in enumerate(lines):
                line = PICTURE.sub(r"\1\2", line)
                line = LINK.sub(lambda match: self.link(document, match), line)
                # A link would change the heading's anchor.
                lines[number] = line if line.startswith("#") else CODE.sub(self.name, line)
            parts[index] = COMMENT.sub("", "\n".join(lines))
        return "".join(parts)


def main():
    catalogue, graphs, output, *folders = map(pathlib.Path, sys.argv[1:])
    symbols = Symbols(graphs, catalogue.stem)
    shutil.copytree(catalogue, output)
    for path in output.glob("**/*.md"):
        path.write_text(symbols.curation(COMMENT.sub("", path.read_text())))
    articles = output / "Articles"
    articles.mkdir(exist_ok=True)
    assembly = Assembly(
        [Document(path) for folder in folders for path in sorted(folder.glob("*.md"))],
        symbols.types,
    )
    for document in assembly.documents.values():
        (articles / f"{document.name}.md").write_text(assembly.article(document))
    # Check the links of the documents that only a forge shows, at the root and in subfolders.
    for folder in folders:
        for path in sorted([*folder.parent.glob("*.md"), *folder.glob("*/**/*.md")]):
            assembly.article(Document(path))
    for folder in folders:
        for path in [*folder.glob("**/*.svg"), *folder.glob("**/*.png")]:
            shutil.copy(path, articles)
    # The renderer requests this file; without it, servers report a missing file.
    (output / "theme-settings.json").write_text("{}\n")
    for fault in assembly.faults:
        print(f"error: {fault}", file=sys.stderr)
    sys.exit(1 if assembly.faults else 0)


if __name__ == "__main__":
    main()
