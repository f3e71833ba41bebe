"""Compiles the Swift blocks of README.md, Documentation/, and the articles and tutorials of DocC's catalogues.

Also compiles the examples in the sources' documentation comments: indented code, and code in fences with the word
`swift`. Code in fences with another word, such as `text`, is left out. The examples of a module are compiled together,
with the core; each comment becomes a function. Comments.md has their entities, and their set-up by source name.

usage: blocks.py GENERATOR FLAG...     the generator, and flags by which the compiler finds the modules

The blocks of a document are one module. A block that begins with a declaration is put outside functions; the statements
of a section, up to the next heading, are the body of a function. Comments, which neither a forge nor DocC shows, add
what readers need not see:

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
# A call with an empty closure of a function whose closure must name its argument.
UNNAMED_ARGUMENT = re.compile(
    r"\b(write|writeAsync|beginAsyncWrite|read)(\([^)]*\))? ?\{ ?…? ?\}|\bonComplete: \{ ?…? ?\}"
)
# The start or end of a fenced code block in a comment.
FENCE = re.compile(r" ?```(\w*) *$")
PARTS = re.compile(
    r"<!-- (?P<word>compile|compile in every section|compile apart|not compiled|manifest)(?::\s(?P<hidden>.*?))?\s*-->"
    r"|^ *```swift\n(?P<block>.*?)^ *```$"
    r"|^ *```.*?^ *```$"
    r"|^#{1,4} .*?$",
    re.MULTILINE | re.DOTALL,
)


def filled(manifest, block):
    """Returns a manifest whose placeholders are replaced by the lines of a block."""
    lines = block.rstrip().split("\n")
    return re.sub(r"\bLINE (\d+)\b", lambda match: lines[int(match[1]) - 1].strip(), manifest)


def is_declaration(text):
    """Returns whether Swift code begins with a declaration that is valid outside functions."""
    code = re.sub(r"^\s*(//[^\n]*)?\n", "", text, flags=re.MULTILINE)
    return DECLARATION.match(code.lstrip()) is not None


class Module:
    """The Swift source made from the blocks of a document, or from the examples in a module's comments."""

    def __init__(self, path):
        self.path = path
        self.imports = ["import Foundation", "import ObjectBox"]
        self.declarations = []
        self.functions = [[]]
        self.setting = []
        self.manifests = []

    def read(self, text, examples=(), first_line=1, leaves_out_declarations=False):
        """Adds the blocks of a document, except those that `examples` contain."""
        is_left_out = False
        manifest = None
        for part in PARTS.finditer(text):
            line = text.count("\n", 0, part.start()) + first_line
            word, hidden, block = part["word"], part["hidden"], part["block"]
            if word == "compile in every section":
                self.setting = self.located(textwrap.dedent(hidden), line + 1)
            elif word == "compile":
                if not (leaves_out_declarations and is_declaration(hidden)):
                    self.add(textwrap.dedent(hidden), line + 1)
            elif word == "compile apart":
                self.functions.append([])
            elif word == "not compiled":
                is_left_out = True
            elif word == "manifest":
                manifest = hidden
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
                self.add(textwrap.dedent(block), line + 1)

    def located(self, text, line, path=None):
        place = f'#sourceLocation(file: "{path or self.path}", line: {line})'
        return [place, *text.rstrip().split("\n")]

    def add(self, text, line, path=None):
        lines = text.split("\n")
        imports = [item for item in lines if item.startswith("import ")]
        self.imports += [item for item in imports if item not in self.imports]
        text = "\n".join("" if item in imports else item for item in lines)
        place = self.declarations if is_declaration(text) else self.functions[-1]
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


def examples_in_comments(text):
    """Yields the examples of each documentation comment that has examples: first lines and Swift code."""
    examples, block, start, fence, is_behind_text = [], [], 0, None, False
    for number, line in enumerate([*text.split("\n"), ""], start=1):
        comment = re.match(r" *///( ?.*)$", line)
        content = comment[1] if comment else ""
        mark = FENCE.match(content)
        if comment and fence is not None and not mark:
            block.append(content[1:])
        elif fence is None and content.startswith(" " * 5) and (block or not is_behind_text):
            start = start if block else number
            block.append(content[5:])
        elif comment and block and not content.strip():
            block.append("")
        else:
            if block and fence in (None, "swift"):
                examples.append((start, "\n".join(block).rstrip()))
            block = []
            fence = mark[1] if mark and fence is None else None
            start = number + 1
        if not comment:
            if examples:
                yield examples
            examples, fence = [], None
        is_behind_text = bool(content.strip())


def nameless_fences(path, text):
    """Yields the fences in documentation comments without a language: it is unclear whether to compile them."""
    is_inside = False
    for number, line in enumerate(text.split("\n"), start=1):
        comment = line.lstrip().startswith("///")
        if comment and (mark := FENCE.match(line.lstrip()[3:])):
            is_inside = not is_inside
            if is_inside and not mark[1]:
                yield f"{path}:{number}: error: a block without a language: write '```swift', or '```text' for other text\n"
        elif not comment:
            is_inside = False


def sections_of(path):
    """Returns the text above the headings of Comments.md, and each heading's first line and text."""
    head, *sections = re.split(r"^(?=## )", path.read_text(), flags=re.MULTILINE)
    line, found = head.count("\n") + 1, {}
    for section in sections:
        found[section.split("\n")[0].removeprefix("## ")] = line, section
        line += section.count("\n")
    return head, found


def module_of_comments(path, folder):
    """Returns the examples in the comments of a module's sources, and the names of the sources with examples.

    The examples import only that module and the core: this proves which import a function needs.
    """
    module, sources = Module(path), set()
    module.imports.append(f"import {folder.name}")
    head, sections = sections_of(path)
    module.read(head)
    for source in sorted(folder.glob("**/*.swift")):
        if ".docc" in str(source):
            continue
        line, section = sections.get(source.stem, (1, ""))
        for examples in examples_in_comments(source.read_text()):
            module.functions.append([])
            # All comments of a source see the set-up's declarations.
            module.read(section, first_line=line, leaves_out_declarations=source.stem in sources)
            sources.add(source.stem)
            for start, code in examples:
                module.add(code, start, source)
    return module, sources


def unused_headings(path, sources):
    """Yields the headings of Comments.md whose set-up no example uses."""
    for name, (line, _) in sections_of(path)[1].items():
        if name not in sources:
            yield f"{path}:{line}: error: no source '{name}.swift' of a module with a catalogue has an example\n"


def unnamed_arguments(path):
    """Yields the inline code of a document that would not compile: its closure does not name its argument."""
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
    """Returns the messages of the generator or the compiler about a source; nothing when it compiles."""
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
    programs = [path.read_text() for path in ROOT.glob("Examples/*/Sources/**/*.swift")]
    documents = [ROOT / "README.md", *sorted(ROOT.glob("Documentation/*.md"))]
    documents += sorted(ROOT.glob("Sources/*/*/*.docc/**/*.md"))
    if names := os.environ.get("DOCUMENTS"):
        documents = [path for path in documents if path.stem in names.split()]
    jobs, faults, modules = [], [], []
    for path in documents:
        modules.append(Module(path))
        modules[-1].read(path.read_text(), programs)
        faults += unnamed_arguments(path)
    path = ROOT / "Scripts/Documents/Comments.md"
    if not names or path.stem in names.split():
        sources = set()
        for folder in sorted(file.parent for file in ROOT.glob("Sources/*/*/*.docc")):
            module, used = module_of_comments(path, folder)
            modules.append(module)
            sources |= used
            for source in sorted(folder.glob("**/*.swift")):
                faults += nameless_fences(source, source.read_text())
        faults += unused_headings(path, sources)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for module in modules:
            path = module.path
            jobs += [pool.submit(compile_manifest, manifest) for manifest in module.manifests]
            if module.declarations or any(module.functions):
                jobs.append(pool.submit(compile_source, module.source, path.stem, generator, flags))
        for path in sorted(ROOT.glob("Sources/*/*/*.docc/**/*.swift")):
            text = path.read_text()
            if text.startswith("// swift-tools-version"):
                jobs.append(pool.submit(compile_manifest, text))
            else:
                text = f'#sourceLocation(file: "{path}", line: 1)\n{text}\n#sourceLocation()\n'
                jobs.append(pool.submit(compile_source, text, "main", generator, flags))
    faults += [fault for job in jobs if (fault := job.result())]
    print("\n".join(faults), end="", file=sys.stderr)
    print(f"{len(jobs)} sources, {len(faults)} with faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
