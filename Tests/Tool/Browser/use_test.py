"""Tests of the use of the page: keys, focus, dialogs, forms and tables; Scripts/browser-test.sh runs them."""

import re
import unittest
from pathlib import Path

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select

import sample
from browser_test import Case
from pages import Browser, Program

CONTRAST = Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")


class UseCase(Case):
    """A page that is used with keys."""

    def press(self, *keys):
        for key in keys:
            ActionChains(self.browser.driver).send_keys(key).perform()

    def button(self, text, scope="main"):
        return [button for button in self.browser.all(f"{scope} button, {scope} a.button") if button.text == text][0]

    def focused(self):
        """The text or the name of the focused element."""
        return self.browser.script("""const element = document.activeElement;
            return element.dataset.key ?? element.ariaLabel ?? (element.textContent.trim() || element.tagName)""")

    def check_dialog(self, first, opener):
        """Checks that a dialog has the focus and keeps it, and that Escape gives it back."""
        self.browser.wait(lambda: self.browser.one("dialog[open]"))
        self.assertEqual(self.focused(), first)
        count = self.browser.script("""return document.querySelectorAll(
            'dialog[open] :is(button, input, a[href], select):not(:disabled)').length""")
        seen = set()
        for _ in range(count + 1):
            seen.add(self.browser.script("""const all = [...document.querySelectorAll('dialog[open] *')];
                return all.indexOf(document.activeElement)"""))
            self.press(Keys.TAB)
            outside = self.browser.script("""const element = document.activeElement;
                return element !== document.body && !element.closest('dialog[open]')""")
            self.assertFalse(outside, "Tab leaves the dialog")
        self.assertGreaterEqual(len(seen - {-1}), count)
        self.press(Keys.ESCAPE)
        self.assertIsNone(self.browser.one("dialog[open]"))
        self.assertEqual(self.focused(), opener)


class RemovalTests(UseCase):
    """The question before a removal."""

    options = ("--writable",)

    @classmethod
    def setUpClass(cls):
        cls.program = Program(*cls.options, lines=sample.library)
        cls.browser = Browser()

    def ask(self, route):
        self.browser.open(self.program, route)
        self.button("Remove").click()
        self.browser.wait(lambda: "counting" not in self.browser.text("dialog[open]"))
        return self.browser.text("dialog[open]")

    def test_effects_are_told_in_numbers_before(self):
        self.assertIn("63 Book objects lose their author.", self.ask("#/object/Author/1"))
        self.assertIn("Remove Author 1 (Ada)?", self.browser.text("dialog[open] h2"))
        self.browser.picture("removal")
        self.assertEqual(self.browser.violations(is_modal=True), [])
        self.assertIn("3 Loan objects are removed too.", self.ask("#/object/Book/1"))
        self.assertIn("No other object is affected.", self.ask("#/object/Book/9"))

    def test_return_keeps_the_object(self):
        self.ask("#/object/Book/2")
        self.assertEqual(self.focused(), "Cancel")
        self.press(Keys.ENTER)
        self.assertIsNone(self.browser.one("dialog[open]"))
        self.browser.driver.refresh()
        self.browser.wait(lambda: self.browser.text("h1") == "Book 2")
        self.browser.wait(lambda: "Volume 2" in self.browser.text("dl.values"))

    def test_the_focus_is_on_cancel_and_comes_back(self):
        self.ask("#/object/Book/3")
        self.check_dialog("Cancel", "Remove")

    def test_a_removal_that_is_refused_is_told_with_its_cause(self):
        words = self.ask("#/object/Author/2")
        self.assertIn("It will be refused: 1 Review object is connected with it. "
                      "The model restricts removals by Review.author.", words)
        self.assertFalse(self.button("Remove", "dialog[open]").is_enabled())
        self.browser.one("dialog[open] a").click()
        self.browser.wait(lambda: self.browser.text("h1") == "Review 1")
        self.assertIsNone(self.browser.one("dialog[open]"))

    def test_an_object_is_removed_with_its_dependents(self):
        self.ask("#/object/Loan/4")
        self.press(Keys.TAB, Keys.ENTER)
        self.browser.wait(lambda: self.browser.text("h1") == "Loan")
        self.browser.wait(lambda: self.ids() == ["1", "2", "3"])


class FormTests(UseCase):
    """New objects, and values of related objects."""

    options = ("--writable",)

    def field(self, name):
        label = [label for label in self.browser.all("form.edit .field > label") if label.text.split("\n")[0] == name][0]
        return self.browser.one("#" + label.get_attribute("for"))

    def none(self, name):
        """The choice of null of a property; None for a property without one."""
        found = self.field(name).find_elements(By.XPATH, "../label/input")
        return found[0] if found else None

    def store(self):
        self.press(Keys.TAB)
        button = self.browser.one("form.edit button.primary")
        self.browser.script("arguments[0].scrollIntoView({block: 'center'})", button)
        button.click()

    def test_a_new_object_is_typed_without_clicks(self):
        self.browser.open(self.program, "#/new/Message")
        self.assertEqual(self.browser.all("form.edit :disabled"), [])
        self.assertEqual(self.field("text").get_attribute("value"), "")
        self.assertRegex(self.field("sent").get_attribute("value"), r"^\d{4}-\d\d-\d\dT")
        # Stored messages have no stars or tags.
        self.assertTrue(self.none("stars").is_selected())
        self.assertEqual(self.field("stars").get_attribute("placeholder"), "null")
        self.field("text").send_keys("typed")
        self.field("stars").send_keys("4")
        self.assertFalse(self.none("stars").is_selected())
        self.field("author").send_keys("2")
        self.browser.wait(lambda: self.browser.text("form.edit output") == "grace@example.org")
        self.check_access()
        self.store()
        self.browser.wait(lambda: self.browser.text("h1").startswith("Message 3001"))
        self.browser.wait(lambda: self.browser.all("dl.values dd"))
        values = [value.text for value in self.browser.all("dl.values dd")]
        self.assertEqual([values[1], values[3], values[4], values[5], values[6]],
                         ["typed", "4", "false", "null", "Person 2 grace@example.org"])

    def test_null_is_offered_only_where_it_may_be(self):
        self.browser.open(self.program, "#/new/Draft")
        self.assertIsNone(self.none("title"))
        self.field("title").send_keys("a draft")
        self.assertFalse(self.none("length").is_selected())
        self.none("length").click()
        self.assertEqual(self.field("length").get_attribute("value"), "")
        self.store()
        self.browser.wait(lambda: self.browser.text("h1").startswith("Draft"))
        self.browser.wait(lambda: len(self.browser.all("dl.values dd")) == 5)
        self.assertEqual(self.browser.all("dl.values dd")[2].text, "null")

    def test_escape_leaves_a_form_and_the_focus_returns(self):
        self.browser.open(self.program, "#/object/Person/5")
        self.button("Edit").click()
        self.assertEqual(self.browser.script("return document.activeElement.id"), self.field("name").get_attribute("id"))
        self.press("x", Keys.ESCAPE)
        self.browser.wait(lambda: self.focused() == "Edit")
        self.assertIn("Konrad Zuse", self.browser.text("dl.values"))

    def test_labels_are_beside_the_ids(self):
        self.browser.open(self.program, "#/table/Message")
        self.assertEqual(self.rows()[0][6], "2 grace@example.org")
        requests = self.browser.script("""return performance.getEntriesByType('resource')
            .map((entry) => new URL(entry.name).pathname.split('/').slice(2).join('/'))
            .filter((path) => path.startsWith('api/') && path !== 'api/events')""")
        self.assertEqual(sorted(requests), ["api/objects", "api/schema"])
        self.browser.open(self.program, "#/object/Person/2")
        self.assertEqual(self.browser.text(".heading .soft"), "grace@example.org")
        self.assertIn("Person 1 ada@example.org", self.browser.text("dl.values"))
        self.browser.open(self.program, "#/object/Person/1")
        self.browser.wait(lambda: self.browser.one(".related table"))
        self.assertEqual([head.text for head in self.browser.all(".related table")[0].find_elements(By.TAG_NAME, "th")][:2],
                         ["id", "email"])


class TableTests(UseCase):
    """Columns and scroll bars."""

    def test_columns_are_as_wide_as_their_content(self):
        program = Program(lines=sample.library)
        try:
            self.browser.open(program, "#/table/Author")
            table = self.browser.one(".table").rect
            self.assertLess(table["width"], 300)
            self.assertLess(self.browser.one("tbody th a").rect["x"] - table["x"], 60)
            self.browser.open(program, "#/")
            self.assertLess(self.browser.one("tbody td.number").rect["x"], 500)
        finally:
            program.stop()
            self.browser.log()

    def test_there_is_one_scroll_bar(self):
        sizes = """const page = document.scrollingElement, table = document.querySelector('main .table');
            const main = document.querySelector('main');
            return [page.scrollHeight > page.clientHeight, main.scrollHeight > main.clientHeight,
                    table.scrollHeight > table.clientHeight, page.scrollWidth > page.clientWidth]"""
        self.browser.open(self.program, "#/table/Message")
        self.assertEqual(self.browser.script(sizes), [False, False, True, False])
        plan = """const plan = document.querySelector('.plan'); return plan.scrollHeight > plan.clientHeight"""
        self.browser.go("#/table/Message?filter=stars%20%3D%3D%205%20%26%26%20author.name%20startsWith%20%22B%22")
        self.assertEqual([*self.browser.script(sizes), self.browser.script(plan)], [False, False, True, False, False])
        # The heads stay.
        self.browser.script("document.querySelector('main .table').scrollTop = 900")
        head, table = self.browser.one("thead th").rect, self.browser.one(".table").rect
        self.assertLess(abs(head["y"] - table["y"]), 3)
        self.assertTrue(self.browser.one(".pager").is_displayed())
        self.assertLess(self.browser.one(".pager").rect["y"] + self.browser.one(".pager").rect["height"], 860)
        try:
            self.browser.resize(420, 780, True)
            self.browser.open(self.program, "#/table/Message")
            self.assertEqual(self.browser.script(sizes), [True, False, False, False])
        finally:
            self.browser.resize(1280, 860)

    def heads(self):
        return [head.text.replace("\n", "") for head in self.browser.all("thead th")]

    def test_columns_are_chosen_ordered_and_kept(self):
        self.browser.open(self.program, "#/table/Message")
        self.button("Columns").click()
        self.check_dialog("Close", "columns")
        self.button("Columns").click()
        self.assertEqual(self.browser.violations(is_modal=True), [])
        [label for label in self.browser.all("dialog[open] label") if label.text == "tags"][0].click()
        up = "dialog[open] [aria-label='Move author up']"
        for _ in range(6):
            if not self.browser.one(up).is_enabled():
                break
            self.browser.one(up).click()
        self.assertEqual(self.focused(), "Move author down")
        self.press(Keys.ESCAPE)
        expected = ["id▲", "author", "text", "sent", "stars", "isRead"]
        self.assertEqual(self.heads(), expected)
        self.assertEqual(self.rows()[0][1], "2 grace@example.org")
        self.browser.go("#/table/Person")
        self.assertIn("mood", self.heads())
        self.browser.open(self.program, "#/table/Message")
        self.assertEqual(self.heads(), expected)
        self.button("Columns").click()
        self.button("Reset", "dialog[open]").click()
        self.press(Keys.ESCAPE)
        self.assertEqual(self.heads(), ["id▲", "text", "sent", "stars", "isRead", "tags", "author"])

    def test_kept_columns_of_another_model_do_no_harm(self):
        self.browser.open(self.program, "#/table/Message")
        key, stars = self.browser.asynchronously("""import('./api.js').then(({ schema }) => {
            const entity = schema().entities.find(({ name }) => name === 'Message');
            return [`objectbox.columns ${schema().store} ${entity.identity}`, entity.properties[3].identity]; })""")
        one = f'{{"identity":"{stars}","isShown":false}}'
        gone = '{"identity":"99:99","isShown":true}'
        for kept in (f"[{gone},{one},{one},null,7]", "{}", "no json", "null"):
            self.browser.script("localStorage.setItem(arguments[0], arguments[1])", key, kept)
            self.browser.open(self.program, "#/table/Message")
            expected = ["id▲", "text", "sent", "isRead", "tags", "author"]
            if "99:99" not in kept:
                expected.insert(3, "stars")
            self.assertEqual(self.heads(), expected, kept)
        self.browser.script("localStorage.clear()")


class FilterTests(UseCase):
    """Completions and the language of filters, groups, and plans."""

    def items(self):
        return [item.text.split("\n")[0] for item in self.browser.all(".completions:not([hidden]) li")]

    def test_a_filter_is_completed_with_keys(self):
        self.browser.open(self.program, "#/table/Message")
        box = self.browser.one("[data-key=filter]")
        self.assertEqual(box.get_attribute("role"), "combobox")
        self.press("/")
        self.assertEqual(self.focused(), "filter")
        self.press("s", "t")
        self.browser.wait(lambda: self.items()[0] == "stars")
        self.assertEqual(box.get_attribute("aria-expanded"), "true")
        self.press(Keys.DOWN)
        active = self.browser.one("#" + box.get_attribute("aria-activedescendant"))
        self.assertEqual(active.get_attribute("aria-selected"), "true")
        self.browser.picture("completion")
        self.check_access()
        self.press(Keys.ENTER)
        self.assertEqual(box.get_attribute("value"), "stars ")
        self.assertEqual(self.items()[:6], ["==", "!=", "<", "<=", ">", ">="])
        self.press(Keys.DOWN, Keys.TAB)
        self.assertEqual(box.get_attribute("value"), "stars == ")
        self.press("5", " ")
        self.assertEqual(self.items(), ["&&", "||"])
        self.press(Keys.ESCAPE)
        self.assertEqual((self.items(), box.get_attribute("value")), ([], "stars == 5 "))
        self.assertEqual(box.get_attribute("aria-expanded"), "false")
        # Without a chosen completion, Return applies the filter.
        self.press(Keys.ENTER)
        self.browser.wait(lambda: {row[3] for row in self.rows()} == {"5"})

    def test_a_filter_is_completed_with_the_mouse(self):
        self.browser.open(self.program, "#/table/Message")
        box = self.browser.one("[data-key=filter]")
        box.click()
        self.assertEqual(self.items()[:2], ["id", "text"])
        for text in ("author", ".", "name", "startsWith"):
            [item for item in self.browser.all(".completions li") if item.text.split("\n")[0] == text][0].click()
        self.assertEqual(box.get_attribute("value"), "author.name startsWith ")
        self.assertEqual(self.focused(), "filter")
        self.press('"Ada"', Keys.ENTER)
        self.browser.wait(lambda: "of 3,000" in self.browser.text(".heading"))
        self.assertEqual({row[6] for row in self.rows()}, {"1 ada@example.org"})

    CASES = {
        "": ("id", "text", "author", "readers"), "id == 1 && st": ("stars",), "(st": ("stars",),
        "text ": ("matches", "==", "startsWith"), "isRead ": ("== true", "== false"), "isRead == ": ("true", "false"),
        "tags ": ("contains",), "author.": ("name", "email", "place"), "author(na": ("name",),
        "author.place ": ("is nearest to [",), "readers(name == \"x\" ": ("&&", ")"), "stars between 1 ": ("and",),
        "stars in [1, 2] ": ("&&",), "stars is ": ("null", "not null"), "text == 'a b' ": ("&&", "ignoring case"),
        "author.place is nearest to [1, 2] ": ("at most 10",), "author.place is nearest to [1, 2] at most 3 ": ("&&",),
        "author.boss.": ("name",), "readers().count > 2 ": ("&&",), "stars == 1 or aut": ("author",),
        "`sta": ("stars",), "nothing ": (), "text contains \"st": (), "text == \"st\"": (), "stars > 1": (),
    }

    def test_completions_follow_the_language(self):
        self.browser.open(self.program, "#/table/Message")
        for text, expected in self.CASES.items():
            found = self.browser.asynchronously(f"""Promise.all([import('./api.js'), import('./completion.js')])
                .then(([api, completion]) => completion.completions(api.entityNamed('Message'), {text!r}, {len(text)})
                    .items.map((item) => item.text))""")
            self.assertIsInstance(found, list, found)
            if expected:
                self.assertLessEqual(set(expected), set(found), (text, found))
            else:
                self.assertEqual(found, [], text)
        reverse = self.browser.asynchronously("""Promise.all([import('./api.js'), import('./completion.js')])
            .then(([api, completion]) => ['', 'Message.', 'Message.author('].map((text) =>
                completion.completions(api.entityNamed('Person'), text, text.length).items.map((item) => item.text)))""")
        self.assertIn("Message.author", reverse[0])
        self.assertEqual(reverse[1], ["author", "readers"])
        self.assertIn("stars", reverse[2])

    def test_the_language_is_on_the_page(self):
        self.browser.open(self.program, "#/table/Message")
        self.browser.one("h1").click()
        self.press("?")
        words = self.browser.text("#help")
        for part in ("between 1 and 5", "ignoring case", "is nearest to", "matches", "is not null", ".count", "backticks"):
            self.assertIn(part, words)
        self.assertEqual(self.browser.violations(is_modal=True), [])
        self.press(Keys.ESCAPE)
        opener = self.browser.one("[aria-label='Language of the filter']")
        opener.click()
        heading, dialog = self.browser.one("#language").rect, self.browser.one("#help").rect
        self.assertTrue(dialog["y"] <= heading["y"] < dialog["y"] + dialog["height"] / 2, heading)
        self.check_dialog("Close", "Language of the filter")

    def test_groups_have_counts_of_the_filtered_objects(self):
        self.browser.open(self.program, "#/table/Message?filter=stars%20%3E%201")
        self.button("Groups").click()
        self.browser.wait(lambda: self.browser.text("h1") == "Groups of Message")
        self.assertIn("1,500 objects in 2 groups", self.browser.text(".heading"))
        Select(self.browser.one("[data-key=by]")).select_by_visible_text("author")
        self.browser.wait(lambda: self.rows()[0][0].startswith("4 katherine@example.org"))
        rows = self.rows()
        self.assertEqual(sum(int(row[1].replace(",", "")) for row in rows), 1500)
        self.browser.picture("groups")
        self.check_access()
        self.browser.one("tbody th a").click()
        self.browser.wait(lambda: f"{rows[0][1]} of 3,000 objects" in self.browser.text(".heading"))
        self.browser.go("#/groups/Message?by=sent&interval=month")
        self.browser.wait(lambda: [row[:2] for row in self.rows()] == [
            ["2026-03", "744"], ["2026-01", "743"], ["2026-04", "720"], ["2026-02", "672"], ["2026-05", "121"]])

    def test_a_plan_estimates_the_results(self):
        self.browser.open(self.program, "#/table/Message?filter=isRead%20%3D%3D%20true")
        found = re.search(r"Results: about ([\d,]+), by a sample", self.browser.text(".plan"))
        self.assertAlmostEqual(int(found[1].replace(",", "")), 1000, delta=150)
        self.browser.go("#/table/Message?filter=stars%20%3D%3D%2077")
        self.assertRegex(self.browser.text(".plan"), r"Results: fewer than about \d\d;")
        self.browser.go("#/table/Person?filter=boss%20%3E%200")
        self.assertIn("Results: 6.", self.browser.text(".plan"))
        self.browser.go("#/table/Person")
        self.assertNotIn("Results", self.browser.text(".plan"))


class LookTests(UseCase):
    """Contrast and typefaces."""

    options = ("--writable",)

    def each_look(self):
        try:
            for width in (420, 1280):
                self.browser.resize(width, 800, width < 500)
                for scheme in ("light", "dark"):
                    self.browser.emulate(scheme)
                    yield f"{width} {scheme}"
        finally:
            self.browser.resize(1280, 860)
            self.browser.emulate("light")

    def check_contrast(self, place):
        found = self.browser.script(CONTRAST)
        self.assertEqual(found["faults"], [], place)
        self.assertGreater(found["count"], 3, place)

    def test_contrast_is_enough(self):
        routes = ("#/", "#/table/Message?filter=text%20matches%20%22loom%22", "#/table/Message?filter=nothing",
                  "#/object/Person/1", "#/new/Message", "#/groups/Message?by=author", "#/schema", "#/statistics")
        for look in self.each_look():
            for route in routes:
                self.browser.open(self.program, route)
                self.check_contrast(f"{look} {route}")
                width = self.browser.script("return document.scrollingElement.scrollWidth - innerWidth")
                self.assertLessEqual(width, 0, f"{look} {route}")

    def test_contrast_of_dialogs_and_completions_is_enough(self):
        for look in self.each_look():
            self.browser.open(self.program, "#/table/Message")
            self.browser.one("[data-key=filter]").click()
            self.press(Keys.DOWN)
            self.check_contrast(f"{look} completions")
            self.press(Keys.ESCAPE)
            for name in ("Columns", "?"):
                self.button(name).click()
                self.check_contrast(f"{look} {name}")
                self.assertLessEqual(self.browser.one("dialog[open]").rect["width"], int(look.split()[0]))
                self.press(Keys.ESCAPE)
            self.browser.open(self.program, "#/object/Person/1")
            self.button("Remove").click()
            self.browser.wait(lambda: "objects lose" in self.browser.text("dialog[open]"))
            self.check_contrast(f"{look} removal")

    def test_values_have_one_typeface(self):
        faces = set()
        for route, selector in (
                ("#/table/Message", "main tbody :is(td, th, td a, th a)"), ("#/table/Person", "main tbody td"),
                ("#/object/Person/1", "dl.values dd, dl.values dd :is(a, pre), .related tbody :is(td, th)"),
                ("#/groups/Message?by=stars", "main tbody :is(td, th)"),
                ("#/new/Message", "form.edit .entry :is(input:not([type=checkbox]), textarea)")):
            self.browser.open(self.program, route)
            self.browser.wait(lambda: self.browser.all(selector))
            faces |= set(self.browser.script("""return [...document.querySelectorAll(arguments[0])].map((element) => {
                const style = getComputedStyle(element); return `${style.fontFamily} ${style.fontSize}`; })""", selector))
        self.assertEqual(len(faces), 1, faces)


if __name__ == "__main__":
    unittest.main(verbosity=2)
