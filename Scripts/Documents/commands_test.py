"""Tests of commands.py: the faults that it reports, and the outputs that match a shown output."""

import pathlib
import signal
import tempfile
import unittest

import commands


class RecordingSession:
    """Records the calls of a document's steps, and runs nothing."""

    def __init__(self):
        self.calls = []
        self.has_program = False
        self.place = ""

    def begin(self, folder):
        self.calls.append(("begin", folder))

    def __getattr__(self, name):
        return lambda *arguments, **_: self.calls.append((name, *arguments))


def document(*lines, name="Documentation/Sample.md"):
    return commands.Document(commands.ROOT / name, "\n".join(lines))


def calls(*lines, name="Documentation/Sample.md"):
    """Returns the calls of a document without faults."""
    read, session = document(*lines, name=name), RecordingSession()
    assert not read.faults, read.faults
    assert not read.run(session)
    return session.calls[1:]


class DocumentTests(unittest.TestCase):
    def assert_fault(self, text, *lines):
        faults = document(*lines).faults
        self.assertEqual(len(faults), 1, faults)
        self.assertIn(text, faults[0])

    def test_a_shell_block_is_run_without_a_hidden_line(self):
        self.assertEqual(calls("```sh", "true", "false", "```"), [("run", "true\nfalse")])

    def test_a_block_that_is_no_command_needs_a_hidden_line(self):
        self.assert_fault("Sample.md:1: the block is no command", "```text", "output", "```")
        self.assert_fault("Sample.md:3: the block is no command", "Text:", "", "    output")
        self.assertEqual(calls("<!-- not run: a picture -->", "```text", "output", "```"), [])
        self.assertEqual(calls("```swift", "print(1)", "```", "```json", "{}", "```"), [])

    def test_an_indented_line_of_a_list_is_no_block(self):
        self.assertEqual(calls("* one", "", "    more of it"), [])

    def test_a_hidden_line_needs_its_block(self):
        self.assert_fault("no block follows 'not run'", "<!-- not run: a reason -->", "Text.")
        self.assert_fault("'prints' stands before", "<!-- prints: ls -->", "```swift", "```")
        self.assert_fault("nothing stands behind", "<!-- run: -->")

    def test_a_reason_is_for_one_block(self):
        lines = ["<!-- not run: a reason -->", "```sh", "one", "```", "```sh", "two", "```"]
        self.assertEqual(calls(*lines), [("run", "two")])

    def test_a_line_is_left_out_when_the_block_has_it(self):
        lines = ["<!-- line not run: two: a reason -->", "```sh", "one", "two  # x", "three", "```"]
        self.assertEqual(calls(*lines), [("run", "one\nthree")])
        self.assert_fault("has not one line that begins with 'two'", lines[0], "```sh", "one", "```")

    def test_commands_of_a_dialogue_have_their_output(self):
        shown = [("compare", "ls", ["a", "b"]), ("compare", "pwd", ["/"])]
        self.assertEqual(calls("```console", "$ ls", "a", "b", "$ pwd", "/", "```"), shown)
        self.assertEqual(calls("", "    $ ls", "    a", "    b", "    $ pwd", "    /"), shown)

    def test_a_document_of_an_example_runs_in_its_folder(self):
        name = "Examples/JobQueue/README.md"
        read = document("```sh", "true", "```", name=name)
        session = RecordingSession()
        read.run(session)
        self.assertEqual(session.calls[0], ("begin", "objectbox-swift-open/Examples/JobQueue"))

    def test_a_block_is_written_to_the_file_of_its_hidden_line(self):
        lines = ["<!-- file: Sources/main.swift -->", "```swift", "print(1)", "```"]
        self.assertEqual(calls(*lines), [("write", "Sources/main.swift", "print(1)")])

    def test_a_manifest_is_written_with_the_lines_of_its_block(self):
        mark = "<!-- file: Package.swift -->"
        lines = ["<!-- manifest:", "a(LINE 1)", "b(LINE 2)", "-->", "```swift", "one", "two", "```"]
        self.assertEqual(calls(mark, *lines), [("write", "Package.swift", "a(one)\nb(two)")])
        self.assertEqual(calls(*lines), [])

    def test_a_whole_program_is_written_to_a_file(self):
        entity = ["```swift", "// objectbox: entity", "final class Note {}", "```"]
        opening = ["```swift", 'let store = try Store(directoryPath: "notes")', "```"]
        self.assert_fault("Sample.md:5: the document shows a whole program", *entity, *opening)
        self.assertEqual(calls(*entity), [])
        self.assertEqual(calls(*opening), [])
        self.assertEqual(calls(*entity, "<!-- not run: a fragment -->", *opening), [])
        mark = "<!-- file: main.swift -->"
        self.assertEqual(len(calls(mark, *entity, mark, *opening)), 2)


class OutputTests(unittest.TestCase):
    def assert_shown(self, shown, printed, expected=True):
        found = commands.is_printed(shown.split("\n"), printed.split("\n"))
        self.assertEqual(found, expected, (shown, printed))

    def test_numbers_and_blanks_may_differ(self):
        self.assert_shown("id   name\n17   Ada 1.5 s", "id name\n\n3 Ada 1,234 s\n")
        self.assert_shown("at 2026-02-01T09:30", "at 2025-12-31T00:00")

    def test_words_and_signs_may_not(self):
        self.assert_shown("5 saved", "5 lost", False)
        self.assert_shown("-1", "1", False)
        self.assert_shown("version 5", "version five", False)

    def test_every_line_counts(self):
        self.assert_shown("a", "a\nb", False)
        self.assert_shown("a\nb", "a", False)
        self.assert_shown("a", "", False)

    def test_an_ellipsis_stands_for_the_rest(self):
        self.assert_shown("http://127.0.0.1:4000/6f1c…/", "http://127.0.0.1:51/ab99/")
        self.assert_shown("a\n…\nz", "a\nb\nc\nz")
        self.assert_shown("a\n…", "a")
        self.assert_shown("a\n…\nz", "a\nb", False)


class SessionTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.session = commands.Session(pathlib.Path(folder.name), "/nowhere")

    def setUp(self):
        self.session.begin(self.id())

    def test_exported_variables_are_kept(self):
        self.session.run("export KEPT='a \"b\"'\nlost=1")
        self.session.run('[ "$KEPT" = \'a "b"\' ] && [ -z "${lost:-}" ]')

    def test_the_first_failure_ends_a_script(self):
        with self.assertRaisesRegex(commands.Fault, "status: 1"):
            self.session.run("false\ntrue")

    def test_a_script_without_an_end_is_killed(self):
        self.addCleanup(setattr, commands, "LIMIT", commands.LIMIT)
        commands.LIMIT = 1
        with self.assertRaisesRegex(commands.Fault, "(?s)no end within 1 s.*begun"):
            self.session.run("echo begun; sleep 600 & wait")

    def test_a_program_prints_what_its_comments_say(self):
        self.session.write("main.swift", 'print(a)  // ["Ada"]\nprint(b)  // which index is used')
        with self.assertRaisesRegex(commands.Fault, "does not print"):
            self.session.run("echo '[\"Alan\"]'  # swift run")
        self.session.run("echo '[\"Ada\"]'  # swift run")
        self.assertEqual(self.session.expected, [])

    def test_a_program_is_run_twice(self):
        self.session.write("main.swift", 'print(a)  // ["Ada"]')
        self.session.run("echo once >> others\necho run >> runs; echo '[\"Ada\"]'  # swift run")
        self.session.run('[ "$(wc -l < runs)" -eq 2 ] && [ "$(wc -l < others)" -eq 1 ]')

    def test_a_program_without_comments_is_run_twice(self):
        self.session.write("Sources/App/main.swift", "import ObjectBox")
        self.session.run("echo run >> runs  # swift run")
        self.session.run('[ "$(wc -l < runs)" -eq 2 ]')

    def test_a_program_is_run_twice_once(self):
        self.session.write("main.swift", "import ObjectBox")
        self.session.run("true  # swift run")
        self.session.run("echo run >> runs  # swift run")
        self.session.run('[ "$(wc -l < runs)" -eq 1 ]')

    def test_the_second_run_of_a_program_must_succeed(self):
        self.session.write("main.swift", "import ObjectBox")
        with self.assertRaisesRegex(commands.Fault, "(?s)second run.*status: 1.*mkdir: "):
            self.session.run("mkdir people  # swift run")

    def test_the_second_run_of_a_program_prints_the_same_as_the_first(self):
        self.session.write("main.swift", 'print(a)  // ["Ada"]')
        with self.assertRaisesRegex(commands.Fault, "(?s)second run.*does not print '\\[\"Ada\"\\]'"):
            self.session.run("[ -e ran ] || echo '[\"Ada\"]'; touch ran  # swift run")

    def test_a_manifest_is_no_program(self):
        self.session.write("Package.swift", "// swift-tools-version: 6.2")
        self.session.run("echo run >> runs  # swift run")
        self.session.run('[ "$(wc -l < runs)" -eq 1 ]')

    def test_a_program_that_a_document_writes_is_run(self):
        read = document("<!-- file: main.swift -->", "```swift", "import ObjectBox", "```")
        self.assertRegex(read.run(self.session)[0], "no 'swift run' followed")

    def test_blocks_of_one_file_are_joined(self):
        self.session.write("main.swift", "one")
        self.session.write("main.swift", "two")
        self.session.run("printf '%s\\n' one two | diff - main.swift")
        self.session.begin(self.session.folder.name)
        self.session.write("main.swift", "three")
        self.session.run("echo three | diff - main.swift  # swift run")

    def test_an_ellipsis_stands_for_the_rest_of_a_printed_line(self):
        self.session.write("main.swift", "do {\n  print(message)  // unique constraint on …\n}")
        with self.assertRaisesRegex(commands.Fault, "does not print"):
            self.session.run("echo 'no constraint on x'  # swift run")
        self.session.run("echo 'unique constraint on x'  # swift run")

    def test_a_command_that_stays_is_interrupted_when_it_has_printed_what_is_shown(self):
        command = "bash -c 'echo begun; until [ -e go ]; do sleep 0.1; done; echo done; sleep 600'"
        self.session.interrupt(command, ["begun", "done"], "grep -q begun \"$PRINTED\"; touch go")

    def test_a_command_is_interrupted_also_where_ctrl_c_was_ignored_at_the_start(self):
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            self.session.interrupt("bash -c 'echo begun; sleep 600'", ["begun"], "true")
        finally:
            signal.signal(signal.SIGINT, before)

    def test_only_committed_files_are_there(self):
        clone = self.session.work / commands.CLONE
        self.assertTrue((clone / "README.md").exists())
        self.assertFalse((clone / ".build").exists())


if __name__ == "__main__":
    unittest.main()
