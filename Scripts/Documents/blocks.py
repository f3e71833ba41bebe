"""Compiles the Swift blocks of README.md, Documentation/, and the articles and tutorials of DocC's catalogues.

Examples in the comments of the sources are compiled as well, with what Comments.md says.

usage: blocks.py GENERATOR FLAG...     the generator, and flags by which the compiler finds the modules

The blocks of a document are one module. Those that begin with a declaration stand on their own; the statements of a
section, up to the next heading, are the body of a function. Comments, which neither a forge nor DocC shows, add what
readers need not see:

  <!-- compile: … -->                    lines of Swift at this place
  <!-- compile in every section: … -->   lines of Swift at the begin of each function
  <!-- compile apart -->                 ends the function, so that names may come again
  <!-- not compiled: … -->               leaves the next block out, for the reason that it states
  <!-- manifest: … -->                   a manifest, in which `LINE 1`, `LINE 2`, … are the lines of the next block

Blocks that are part of a program in Examples/ are compiled with that. A block that begins with
`// swift-tools-version` is a manifest.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]
DECLARATION = re.compile(
    r"(@\w+ )*((public|private|final|indirect|nonisolated|static) )*"
    r"(class|struct|enum|actor|extension|func|protocol|typealias)\b|nonisolated\(unsafe\) (let|var)\b"
)
# The call of a function whose block must take its argument, with an empty block.
UNNAMED_ARGUMENT = re.compile(
    r"\b(write|writeAsync|beginAsyncWrite|read)(\([^)]*\))? ?\{ ?…? ?\}|\bonComplete: \{ ?…? ?\}"
)
PARTS = re.compile(
    r"<!-- (?P<word>compile|compile in every section|compile apart|not compiled|manifest|from)(?::\s(?P<hidden>.*?))?\s*-->"
    r"|^ *```swift\n(?P<block>.*?)^ *```$"
    r"|^ *```.*?^ *```$"
    r"|^#{1,4} .*?$",
    re.MULTILINE | re.DOTALL,
)


def filled(manifest, block):
    """Returns a manifest with the lines of a block at their places."""
    lines = block.rstrip().split("\n")
    return re.sub(r"\bLINE (\d+)\b", lambda match: lines[int(match[1]) - 1].strip(), manifest)


class Module:
    """The Swift source that the blocks of a document make."""

    def __init__(self, path, examples, text=None):
        self.path = path
        self.imports = ["import Foundation", "import ObjectBox"]
        self.declarations = []
        self.functions = [[]]
        self.setting = []
        self.manifests = []
        text = text or path.read_text()
        is_left_out = False
        manifest = None
        origin = None
        for part in PARTS.finditer(text):
            line = text.count("\n", 0, part.start()) + 1
            word, hidden, block = part["word"], part["hidden"], part["block"]
            if word == "compile in every section":
                self.setting = self.located(textwrap.dedent(hidden), line)
            elif word == "compile":
                self.add(textwrap.dedent(hidden), line)
            elif word == "compile apart":
                self.functions.append([])
            elif word == "not compiled":
                is_left_out = True
            elif word == "manifest":
                manifest = hidden
            elif word == "from":
                origin = hidden.rsplit(":", 1)
            elif block is None:
                if not part[0].lstrip().startswith("`"):
                    self.functions.append([])
            elif is_left_out:
                is_left_out = False
            elif manifest:
                self.manifests.append(filled(manifest, block))
                manifest = None
            elif block.startswith("// swift-tools-version"):
                self.manifests.append(block)
            elif not any(block in example for example in examples):
                path, line = origin or (self.path, line + 1)
                self.add(textwrap.dedent(block), line, path)

    def located(self, text, line, path=None):
        place = f'#sourceLocation(file: "{path or self.path}", line: {line})'
        return [place, *text.rstrip().split("\n")]

    def add(self, text, line, path=None):
        lines = text.split("\n")
        imports = [item for item in lines if item.startswith("import ")]
        self.imports += [item for item in imports if item not in self.imports]
        text = "\n".join("" if item in imports else item for item in lines)
        code = re.sub(r"^\s*(//[^\n]*)?\n", "", text, flags=re.MULTILINE)
        is_declaration = DECLARATION.match(code.lstrip())
        place = self.declarations if is_declaration else self.functions[-1]
        place += self.located(text, line, path)

    @property
    def source(self):
        lines = [*self.imports, *self.declarations]
        for number, body in enumerate(self.functions):
            if not body:
                continue
            isolation = "async " if any("await " in line for line in body + self.setting) else ""
            lines += [f"func section{number}() {isolation}throws {{", *self.setting, *body, "}"]
        return "\n".join([*lines, "#sourceLocation()", ""])


def examples_in_comments(path):
    """Yields the examples in a source's documentation comments: indented lines behind an empty one, with their lines."""
    block, start, previous = [], 0, ""
    for number, line in enumerate([*path.read_text().split("\n"), ""], start=1):
        comment = re.match(r" *///(.*)$", line)
        text = comment[1] if comment else None
        if text is not None and text.startswith("     ") and (block or not previous.strip()):
            start = start if block else number
            block.append(text[5:])
        elif block:
            yield start, "\n".join(block)
            block = []
        previous = "text" if text is None else text


def comments(path, module):
    """Returns the text of Comments.md for the sources of a module, whose examples stand behind their names' headings.

    The examples see that module and the core alone, so that they prove which import a function needs.
    """
    sources = sorted(module.glob("**/*.swift"))
    names = {source.stem for source in sources}
    setting, *sections = re.split(r"^(?=## )", path.read_text(), flags=re.MULTILINE)
    own = [section for section in sections if section.split("\n")[0].removeprefix("## ") in names]
    text = "".join([f"<!-- compile:\nimport {module.name}\n-->\n", setting, *own])
    for source in sources:
        blocks = "".join(
            f"<!-- from: {source}:{line} -->\n```swift\n{block}\n```\n"
            for line, block in examples_in_comments(source)
        )
        if not blocks or ".docc" in str(source):
            continue
        heading = f"## {source.stem}\n"
        before, found, after = text.partition(heading)
        own, mark, rest = after.partition("\n## ")
        text = f"{before}{heading}{own}\n{blocks}{mark}{rest}"
    return text


def unknown_headings(path, folders):
    """Yields the headings of Comments.md that name no source, whose set-up would be left out without a word."""
    names = {source.stem for folder in folders for source in folder.glob("**/*.swift")}
    for number, line in enumerate(path.read_text().split("\n"), start=1):
        if line.startswith("## ") and line.removeprefix("## ") not in names:
            yield f"{path}:{number}: error: no module with a catalogue has a source '{line[3:]}.swift'\n"


def unnamed_arguments(path):
    """Yields the inline code of a document whose block leaves its argument out, so that it would not compile."""
    for number, line in enumerate(path.read_text().split("\n"), start=1):
        for code in re.findall(r"`([^`]+)`", line):
            if UNNAMED_ARGUMENT.search(code):
                yield (
                    f"{path}:{number}: error: '{code}' does not compile: name the argument of the block, as in "
                    "'{ transaction in … }'\n"
                )


def run(command):
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    return "" if result.returncode == 0 else result.stdout + result.stderr


def compile_source(source, name, generator, flags):
    """Returns what the generator or the compiler says of a source; nothing when it compiles."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / f"{name}.swift"
        file.write_text(source)
        files = [str(file)]
        if re.search(r"// objectbox: ?(entity|Entity)|: Entity\b", source):
            generated = pathlib.Path(folder) / "EntityInfo.generated.swift"
            found = run(
                [generator, "--sources", files[0], "--model-json", f"{folder}/model.json", "--quiet"]
                + ["--output", str(generated), "--disableCache", "--new-model"]
            )
            if found or not generated.exists():
                return found or f"{file}: the generator made nothing"
            files.append(str(generated))
        library = [] if name == "main" else ["-parse-as-library"]
        command = ["swiftc", "-typecheck", "-swift-version", "6", "-suppress-warnings", *library]
        return run([*command, "-module-name", "Documents", *flags, *files])


def compile_manifest(source):
    compiler = subprocess.check_output(["sh", "-c", 'readlink -f "$(command -v swiftc)"'], text=True)
    folder = pathlib.Path(compiler).parents[1] / "lib/swift/pm/ManifestAPI"
    with tempfile.NamedTemporaryFile("w", suffix=".swift") as file:
        file.write(source)
        file.flush()
        version = re.search(r"swift-tools-version: *([\d.]+)", source).group(1)
        options = ["-swift-version", "6", "-package-description-version", version]
        return run(["swiftc", "-typecheck", *options, "-I", str(folder), file.name])


def main():
    generator, *flags = sys.argv[1:]
    examples = [path.read_text() for path in ROOT.glob("Examples/*/Sources/**/*.swift")]
    documents = [ROOT / "README.md", *sorted(ROOT.glob("Documentation/*.md"))]
    documents += sorted(ROOT.glob("Sources/*/*.docc/**/*.md"))
    if names := os.environ.get("DOCUMENTS"):
        documents = [path for path in documents if path.stem in names.split()]
    jobs, stale = [], []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        modules = [Module(path, examples) for path in documents]
        path = ROOT / "Scripts/Documents/Comments.md"
        if not names or path.stem in names.split():
            folders = sorted(file.parent for file in ROOT.glob("Sources/*/*.docc"))
            modules += [Module(path, [], comments(path, folder)) for folder in folders]
            stale = [*unknown_headings(path, folders)]
        for module in modules:
            path = module.path
            jobs += [pool.submit(compile_manifest, manifest) for manifest in module.manifests]
            if module.declarations or any(module.functions):
                jobs.append(pool.submit(compile_source, module.source, path.stem, generator, flags))
        for path in sorted(ROOT.glob("Sources/*/*.docc/**/*.swift")):
            text = path.read_text()
            if text.startswith("// swift-tools-version"):
                jobs.append(pool.submit(compile_manifest, text))
            else:
                text = f'#sourceLocation(file: "{path}", line: 1)\n{text}\n#sourceLocation()\n'
                jobs.append(pool.submit(compile_source, text, "main", generator, flags))
    faults = [fault for path in documents for fault in unnamed_arguments(path)] + stale
    faults += [fault for job in jobs if (fault := job.result())]
    print("\n".join(faults), end="", file=sys.stderr)
    print(f"{len(jobs)} sources, {len(faults)} with faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
