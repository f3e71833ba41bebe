"""Tests of blocks.py: the examples that it finds in comments, and the lines that it reports for wrong examples."""

import pathlib
import tempfile
import textwrap
import unittest

import blocks


def found(text):
    return [*blocks.examples_in_comments(textwrap.dedent(text))]


class ExampleTests(unittest.TestCase):
    def test_indented_lines_behind_an_empty_one_are_an_example(self):
        text = """
        /// Returns the number.
        ///
        ///     let a = 1
        ///
        ///     let b = a
        ///
        /// - Parameter x: A number,
        ///     which is not code.
        func f() {}
        """
        self.assertEqual(found(text), [[(4, "let a = 1\n\nlet b = a")]])

    def test_a_fence_says_whether_its_lines_are_swift(self):
        text = """
        /// ```swift
        /// if true {
        ///   f()
        /// }
        /// ```
        /// ```text
        ///     no code
        /// ```
        """
        self.assertEqual(found(text), [[(3, "if true {\n  f()\n}")]])

    def test_examples_of_two_comments_stay_apart(self):
        text = """
        ///
        ///     let a = 1
        func f() {}
        ///
        ///     let a = 2
        """
        self.assertEqual(found(text), [[(3, "let a = 1")], [(6, "let a = 2")]])

    def test_a_plain_comment_has_no_example(self):
        self.assertEqual(found("//\n//     let a = 1\n"), [])

    def test_a_fence_without_a_language_is_a_fault(self):
        faults = [*blocks.nameless_fences("A.swift", "/// ```\n/// let a = 1\n/// ```\n/// ```swift\n/// ```\n")]
        self.assertEqual(len(faults), 1, faults)
        self.assertIn("A.swift:1: error: a block without a language", faults[0])


class ModuleTests(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name) / "Library"
        self.folder.mkdir()
        self.setup = self.folder / "Comments.md"

    def faults(self, setup, **sources):
        """Compiles the examples of sources without any module; returns the compiler's messages."""
        self.setup.write_text(textwrap.dedent(setup))
        for name, text in sources.items():
            (self.folder / f"{name}.swift").write_text(textwrap.dedent(text))
        module, _ = blocks.module_of_comments(self.setup, self.folder)
        module.imports = []
        return blocks.compile_source(module.source, "Comments", generator="", flags=[])

    def test_a_wrong_example_is_found_at_its_line(self):
        text = """
        /// Counts.
        ///
        ///     let a = 1
        ///     let text: String = a
        public func count() {}
        """
        faults = self.faults("", Count=text)
        self.assertIn(f"{self.folder}/Count.swift:5:20: error: cannot convert value", faults)
        self.assertEqual(faults.count("Count.swift:"), 1, faults)

    def test_an_example_sees_the_set_up_of_its_source_and_no_other_example(self):
        setup = """
        <!-- compile:
        let everywhere = 1
        -->
        ## Notes
        <!-- compile:
        let note = everywhere
        -->
        """
        right = """
        ///
        ///     let a = note
        var a = 1
        ///
        ///     let a = note
        """
        self.assertEqual(self.faults(setup.replace("let everywhere", "nonisolated(unsafe) let everywhere"), Notes=right), "")
        other = """
        ///
        ///     print(note)
        """
        self.assertIn("Other.swift:3:7: error: cannot find 'note'", self.faults(setup, Notes=right, Other=other))

    def test_a_wrong_set_up_is_found_at_its_line(self):
        setup = """
        ## Notes
        <!-- compile:
        let note: String = 1
        -->
        """
        faults = self.faults(setup, Notes="///\n///     print(note)\n")
        self.assertIn(f"{self.setup}:4:20: error: cannot convert value", faults)

    def test_set_up_that_no_example_uses_is_a_fault(self):
        self.setup.write_text("# Title\n\n## Notes\n\n## Others\n")
        faults = [*blocks.unused_headings(self.setup, {"Notes"})]
        self.assertEqual(len(faults), 1, faults)
        self.assertIn(f"{self.setup}:5: error: no source 'Others.swift'", faults[0])


if __name__ == "__main__":
    unittest.main()
