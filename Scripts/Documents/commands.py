"""Runs the shell blocks of the documents, and compares the output shown there with the commands' output.

usage: commands.py TOOLS     the folder of the built `objectbox` and `objectbox-generator`
  DOCUMENTS="README Tool"    names of documents, to run these alone
  FOLDER=PATH                the folder for the clone and its builds, which stays; default a temporary one

Everything runs in a folder of its own. It holds a fresh clone of the checkout, `objectbox-swift-open`, so that files that
are not committed are missing here as they are missing for others. README.md comes first and finds the clone untouched;
GettingStarted.md is next, and other documents may use the package `App` that it makes.
All builds share the folder of the notebook's example, so that each library is compiled once for each configuration.

A block `sh` is a script of bash, which ends at its first failure. A block `console`, and an indented block that begins
with `$ `, holds commands and their output. The output is compared line by line: numbers and blanks may differ, and `…`
stands for the rest of a word and any text or, alone, for any lines. Variables that a block exports are there in the later ones of its document.
Every block that is neither of these nor Swift, JSON or bytes needs a hidden line. Comments of Markdown, which neither a
forge nor DocC shows, say what readers need not see:

  <!-- not run: REASON -->             leaves the next block out
  <!-- line not run: LINE: REASON -->  leaves the line of the next block out that begins with LINE
  <!-- run in: FOLDER -->              the folder of what follows, in that folder; before it is that of the clone,
                                       or in Examples/ the document's own
  <!-- run: COMMANDS -->               commands at this place
  <!-- run meanwhile: COMMANDS -->     the next block's command does not end by itself: COMMANDS run when it has begun to
                                       print, with what it printed in the file $PRINTED, and Ctrl-C follows when it has
                                       printed what the block shows
  <!-- run at the end: COMMANDS -->    commands after the last block, also after a failure
  <!-- prints: COMMAND -->             the next block is what COMMAND prints
  <!-- file: PATH -->                  the next block is written to a file; further blocks of the file are appended
  <!-- manifest: MANIFEST -->          after such a line: the block's lines replace LINE 1, LINE 2, … of the manifest,
                                       which is written; without such a line, only blocks.py reads this one

A program is a file of Swift that a document writes. The next `swift run` of the document runs it, and is then repeated:
both runs must succeed, and print the comments behind `print(…)`, such as `// ["Ada"]` or `// index on …`. A document
that shows both an entity and the opening of a store shows a program whole, and needs hidden lines to run it.
"""

import contextlib
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import textwrap
import time

import blocks

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLONE = "objectbox-swift-open"
OTHER_LANGUAGES = {"swift", "json", "hex"}
MARK = re.compile(
    r"<!-- (not run|line not run|run in|run meanwhile|run at the end|run|prints|file|manifest): *(.*?)\s*-->",
    re.DOTALL,
)
LIMIT = 3600  # seconds
# A comment that states the output of a call of `print`.
PRINTED_COMMENT = re.compile(r'^ *print\(.*\)  // ([\["\d].*|.*…)$', re.MULTILINE)
ENTITY = re.compile(r"^ *// objectbox: ?entity\b", re.MULTILINE)
OPENED_STORE = re.compile(r"^let \w+ = try Store\(directoryPath:", re.MULTILINE)


class Fault(Exception):
    """A block that cannot run, or does not print what the document shows."""


def quoted(names):
    return ", ".join(f"'{name}'" for name in names)


def parts(text):
    """Yields the comments and blocks of a document: line, language (none for a comment), text."""
    lines = [*text.split("\n"), ""]
    number, is_list, previous = 0, False, ""
    while number < len(lines):
        line, start = lines[number], number
        number += 1
        if line.startswith("<!--"):
            while "-->" not in lines[number - 1] and number < len(lines):
                number += 1
            yield start + 1, None, "\n".join(lines[start:number])
        elif fence := re.match(r" *```(\w*)$", line):
            while lines[number].strip() != "```":
                number += 1
            yield start + 1, fence[1] or "text", textwrap.dedent("\n".join(lines[start + 1 : number]))
            number += 1
        elif line.startswith("    ") and not previous.strip() and not is_list:
            while lines[number].startswith("    "):
                number += 1
            yield start + 1, "indented", textwrap.dedent("\n".join(lines[start:number]))
        elif line.strip() and not line.startswith(" "):
            is_list = re.match(r"([*-]|\d+\.) ", line) is not None
        previous = lines[number - 1]


def dialogue(text):
    """Yields the commands of a block with their output."""
    command, shown = None, []
    for line in text.split("\n"):
        if line.startswith("$ "):
            if command:
                yield command, shown
            command, shown = line[2:], []
        else:
            shown.append(line)
    yield command, shown


def line_pattern(shown):
    """Returns a regular expression for the printed lines that match a shown line."""
    pattern = re.escape(" ".join(shown.split())).replace(r"\ ", " +")
    pattern = re.sub(r"\w*…", "…", pattern)
    pattern = re.sub(r"\d(\d|,|\\\.)*", r"\\d[\\d.,]*", pattern)
    return re.compile(pattern.replace("…", ".*"))


def is_printed(shown, printed):
    """Returns whether the printed lines match the shown lines."""
    shown = [line for line in shown if line.strip()]
    printed = [" ".join(line.split()) for line in printed if line.strip()]
    if not shown or not printed:
        return shown == printed or shown == ["…"]
    if shown[0].strip() == "…":
        return any(is_printed(shown[1:], printed[rest:]) for rest in range(len(printed) + 1))
    return bool(line_pattern(shown[0]).fullmatch(printed[0])) and is_printed(shown[1:], printed[1:])


class Document:
    """The steps of a document: functions that take a session, in the order of the document's blocks."""

    def __init__(self, path, text=None):
        self.path = path
        self.name = str(path.relative_to(ROOT))
        self.steps = []
        self.ends = []
        self.faults = []
        self.text = text or path.read_text()
        self.marks = {}
        self.shows_entity = False
        self.opened_store = None
        for line, language, text in parts(self.text):
            try:
                if language is None:
                    self.read_mark(line, text)
                else:
                    self.read_block(line, language, text)
            except Fault as fault:
                self.faults.append(f"{self.name}:{line}: {fault}")
        if self.marks:
            self.faults.append(f"{self.name}: no block follows {quoted(self.marks)}")
        if self.shows_entity and self.opened_store:
            self.faults.append(
                f"{self.name}:{self.opened_store}: the document shows a whole program, and nothing runs it; write"
                " '<!-- file: PATH -->' before its blocks, and 'swift run' in a command or in '<!-- run: … -->'"
            )

    @property
    def folder(self):
        parent = self.path.parent.relative_to(ROOT)
        return f"{CLONE}/{parent}" if parent.parts[:1] == ("Examples",) else CLONE

    def read_mark(self, line, text):
        if not (mark := MARK.fullmatch(text)):
            return
        word, text = mark.groups()
        text = textwrap.dedent(text)
        if not text:
            raise Fault(f"nothing stands behind '{word}:'")
        if word == "run":
            self.add(line, lambda session: session.run(text))
        elif word == "run in":
            self.add(line, lambda session: session.enter(text))
        elif word == "run at the end":
            self.ends.append(text)
        else:
            self.marks[word] = text

    def read_block(self, line, language, text):
        marks, self.marks = self.marks, {}
        manifest = marks.pop("manifest", None)
        if "not run" in marks:
            return
        if "file" in marks:
            written = blocks.filled(manifest.strip(), text) if manifest else text
            self.add(line, lambda session: session.write(marks["file"], written))
        elif language in OTHER_LANGUAGES:
            if marks:
                raise Fault(f"{quoted(marks)} stands before a block that is no command")
            if language == "swift":
                self.shows_entity = self.shows_entity or ENTITY.search(text) is not None
                if self.opened_store is None and OPENED_STORE.search(text):
                    self.opened_store = line
        elif "prints" in marks:
            self.add(line, lambda session: session.compare(marks["prints"], text.split("\n")))
        elif language == "sh":
            if "line not run" in marks:
                text = self.without_line(text, marks["line not run"])
            self.add(line, lambda session: session.run(text, is_shown=True))
        elif text.startswith("$ ") and language in {"console", "indented"}:
            for command, shown in dialogue(text):
                self.add(line, self.exchange(command, shown, marks.get("run meanwhile")))
        else:
            raise Fault(
                "the block is no command, and nothing says what prints it; write '<!-- prints: COMMAND -->' or"
                " '<!-- not run: REASON -->' before it"
            )

    def exchange(self, command, shown, meanwhile):
        if meanwhile:
            return lambda session: session.interrupt(command, shown, meanwhile)
        return lambda session: session.compare(command, shown)

    def without_line(self, text, mark):
        left_out, _, reason = mark.rpartition(": ")
        lines = [line for line in text.split("\n") if not line.startswith(left_out)]
        if not left_out or not reason or len(lines) != text.count("\n"):
            raise Fault(f"the block has not one line that begins with '{left_out or mark}'")
        return "\n".join(lines)

    def add(self, line, step):
        self.steps.append((line, step))

    def run(self, session):
        """Runs the steps, and returns the faults."""
        session.begin(self.folder)
        faults = []
        try:
            for line, step in self.steps:
                session.place = f"{self.name}:{line}"
                step(session)
            if session.has_program:
                raise Fault("no 'swift run' followed, which runs the program")
        except Fault as fault:
            faults.append(f"{session.place}: {fault}")
        for text in self.ends:
            try:
                session.run(text)
            except Fault as fault:
                faults.append(f"{self.name}: {fault}")
        return faults


class Session:
    """A folder with a clone of the checkout, and the state of the document that runs there."""

    def __init__(self, work, tools):
        self.work = work
        self.kept = work / "variables"
        self.place = ""
        subprocess.run(["git", "clone", "-q", str(ROOT), str(work / CLONE)], check=True)
        self.environment = dict(
            os.environ,
            PATH=f"{tools}:{os.environ['PATH']}",
            SWIFTPM_BUILD_DIR=str(work / CLONE / "Examples/Notebook/.build"),
            PRINTED=str(work / "printed"),
        )

    def begin(self, folder):
        self.kept.write_text("")
        self.has_program = False
        self.expected = []
        self.written = set()
        self.enter(folder)

    def enter(self, folder):
        self.folder = self.work / folder
        self.folder.mkdir(parents=True, exist_ok=True)

    def script(self, text):
        """Returns the command that runs a script with the variables of earlier scripts."""
        text = f'source "{self.kept}"\n{text.rstrip()}\nexport -p > "{self.kept}"\n'
        return ["bash", "-euo", "pipefail", "-c", text]

    def execute(self, text):
        """Runs a script, and returns its status and the lines that it printed."""
        process = subprocess.Popen(
            self.script(text),
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
        try:
            output, _ = process.communicate(timeout=LIMIT)
            status = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
            status = f"no end within {LIMIT} s"
        return status, output.decode(errors="replace").split("\n")

    def run(self, text, is_shown=False):
        begin = time.monotonic()
        status, printed = self.execute(text)
        if is_shown:
            print(f"{self.place}: {time.monotonic() - begin:.0f} s", flush=True)
        if status != 0:
            raise Fault("\n".join([f"status: {status}", text.rstrip(), *printed]))
        runs = [line for line in text.split("\n") if "swift run" in line]
        if self.has_program and runs:
            self.check_program(printed)
            self.repeat_program("\n".join(runs))

    def check_program(self, printed, name="program"):
        rest = iter(printed)
        for expected in self.expected:
            pattern = line_pattern(expected) if "…" in expected else re.compile(re.escape(expected))
            if not any(pattern.fullmatch(line) for line in rest):
                raise Fault("\n".join([f"the {name} does not print '{expected}':", *printed]))

    def repeat_program(self, text):
        """Runs a program again, which now finds the store of its first run."""
        status, printed = self.execute(text)
        if status != 0:
            raise Fault("\n".join(["the second run of the program fails", f"status: {status}", *printed]))
        self.check_program(printed, "second run of the program")
        print(f"{self.place}: the program runs twice", flush=True)
        self.has_program = False
        self.expected = []

    def compare(self, command, shown):
        _, printed = self.execute(command)
        self.check(command, shown, printed)

    def check(self, command, shown, printed):
        if not is_printed(shown, printed):
            raise Fault("\n".join([f"'{command}' prints another text:", *printed]))
        print(f"{self.place}: as shown", flush=True)

    def interrupt(self, command, shown, meanwhile):
        file = pathlib.Path(self.environment["PRINTED"])

        def printed():
            return file.read_text(errors="replace").split("\n")

        def wait(condition):
            end = time.monotonic() + 60
            while not condition() and process.poll() is None and time.monotonic() < end:
                time.sleep(0.05)

        with file.open("w") as output:
            process = subprocess.Popen(
                self.script(f"exec {command}"),
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                # A shell lets its background commands, and their children, ignore Ctrl-C.
                preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
            )
            try:
                wait(lambda: len(printed()) > 1)
                self.run(meanwhile)
                wait(lambda: is_printed(shown, printed()))
                self.check(command, shown, printed())
                os.killpg(process.pid, signal.SIGINT)
                process.wait(timeout=60)
            finally:
                if process.poll() is None:
                    os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def write(self, path, text):
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("a" if file in self.written else "w") as output:
            output.write(text + "\n")
        self.written.add(file)
        if file.suffix == ".swift" and file.name != "Package.swift":
            self.has_program = True
            self.expected += PRINTED_COMMENT.findall(text)


def main():
    tools = pathlib.Path(sys.argv[1]).resolve()
    names = subprocess.check_output(["git", "ls-files", "*.md"], cwd=ROOT, text=True).split()
    first = ["Documentation/GettingStarted.md", "README.md"]
    names.sort(key=lambda name: (-first.index(name) if name in first else 1, name))
    documents = [Document(ROOT / name) for name in names]
    faults = [fault for document in documents for fault in document.faults]
    if chosen := os.environ.get("DOCUMENTS"):
        documents = [document for document in documents if document.path.stem in chosen.split()]
    if changed := subprocess.check_output(["git", "status", "--short"], cwd=ROOT, text=True):
        print(f"commands: these changes are not committed, and not tried:\n{changed}", flush=True)
    if not faults:
        kept = os.environ.get("FOLDER")
        if kept:
            os.makedirs(kept)
        with contextlib.nullcontext(kept) if kept else tempfile.TemporaryDirectory() as folder:
            # A PostgreSQL server, started by a document as another user, must reach this folder.
            os.chmod(folder, 0o755)
            session = Session(pathlib.Path(folder).resolve(), tools)
            for document in documents:
                if document.steps:
                    faults += document.run(session)
    for fault in faults:
        print(f"error: {fault}", file=sys.stderr)
    print(f"commands: {len(faults)} faults")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
