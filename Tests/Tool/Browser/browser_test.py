"""Tests of `objectbox browse` in a real browser; Scripts/browser-test.sh runs them."""

import json
import unittest

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import sample
from pages import Browser, Program


class Case(unittest.TestCase):
    options = ()

    @classmethod
    def setUpClass(cls):
        cls.program = Program(*cls.options)
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.program.stop()

    def tearDown(self):
        # Nothing that the policy forbids, and no script error. The tests themselves check 4xx answers.
        faults = [text for text in self.browser.log() if "status of 4" not in text]
        self.assertEqual(faults, [])

    def check_access(self):
        """Checks the view with axe in both colour schemes."""
        for scheme in ("dark", "light"):
            self.browser.emulate(scheme)
            self.assertEqual(self.browser.violations(), [], scheme)

    def rows(self):
        return [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "th, td")]
                for row in self.browser.all("main tbody tr")]

    def ids(self):
        return [element.text for element in self.browser.all("main tbody th a")]


class ViewTests(Case):
    """Each view as a user sees it."""

    def test_overview_has_entities_with_counts(self):
        self.browser.open(self.program)
        rows = {row[0]: row[1] for row in self.rows()}
        self.assertEqual(rows, {"Person": "7", "Message": "3,000", "Draft": "0"})
        self.assertIn("Message", self.browser.text("nav.side"))
        self.browser.picture("overview")
        self.check_access()

    def test_table_pages_go_on_from_the_last_object(self):
        self.browser.open(self.program, "#/table/Message")
        self.assertEqual(self.ids()[0], "1")
        self.assertEqual(len(self.ids()), 100)
        self.assertIn("3,000 objects", self.browser.text(".heading"))
        self.press("[data-key=next]", "101")
        self.press("[data-key=next]", "201")
        self.assertIn("Page 3", self.browser.text(".pager"))
        self.press("[data-key=previous]", "101")
        self.browser.driver.back()
        self.browser.wait(lambda: self.ids()[0] == "201")
        self.press("[data-key=first]", "1")

    def press(self, selector, first):
        """Presses a button, and waits for a page that begins with an ID."""
        self.browser.one(selector).click()
        self.browser.wait(lambda: self.ids()[0] == first)

    def test_table_sorts_with_nulls_behind_all_values(self):
        self.browser.open(self.program, "#/table/Message?order=-stars")
        header = self.browser.one("th[aria-sort]")
        self.assertEqual(header.get_attribute("aria-sort"), "descending")
        self.assertEqual(self.rows()[0][3], "5")
        self.assertIn("walk of the index on 'stars'", self.browser.text(".plan"))
        header.find_element(By.TAG_NAME, "button").click()
        self.browser.wait(lambda: self.rows()[0][3] == "0")
        self.assertEqual(self.browser.one("th[aria-sort]").get_attribute("aria-sort"), "ascending")
        self.browser.go("#/table/Message?order=stars&filter=id%20%3C%209")
        self.assertEqual([row[3] for row in self.rows()], ["0", "1", "1", "2", "3", "5", "null", "null"])

    def test_filter_has_its_plan_and_its_count(self):
        self.browser.open(self.program, "#/table/Message")
        box = self.browser.one("[data-key=filter]")
        box.send_keys('stars == 5 && author.name startsWith "B"', Keys.ENTER)
        self.browser.wait(lambda: "of 3,000" in self.browser.text(".heading"))
        self.assertEqual({row[3] for row in self.rows()}, {"5"})
        self.assertIn("index on 'stars'", self.browser.text(".plan pre"))
        self.assertIn("ms", self.browser.text(".plan"))
        self.browser.picture("table")
        self.browser.emulate("dark")
        self.browser.picture("table-dark")
        self.check_access()

    def scores(self):
        return [float(row[-1]) for row in self.rows()]

    def test_best_matches_come_first_where_asked_for(self):
        self.browser.open(self.program, "#/table/Message?order=-stars&filter=text%20matches%20%22weaves%20OR%20loom%22")
        best = self.browser.one("[data-key=best]")
        self.assertFalse(best.is_selected())
        count = len(self.rows()[0])
        best.click()
        self.browser.wait(lambda: len(self.rows()[0]) == count + 1)
        self.assertTrue(self.browser.one("[data-key=best]").is_selected())
        self.assertEqual(self.browser.all("th[aria-sort]"), [])
        self.assertEqual(self.browser.all("thead th")[-1].text, "score")
        self.assertIn("weaves", [mark.text for mark in self.browser.all("td mark")])
        first = self.ids()
        least = self.scores()[-1]
        self.assertEqual(self.scores(), sorted(self.scores(), reverse=True))
        self.check_access()
        self.browser.one("[data-key=next]").click()
        self.browser.wait(lambda: self.ids()[0] != first[0])
        self.assertIn("Page 2", self.browser.text(".pager"))
        self.assertLessEqual(self.scores()[0], least)
        self.assertFalse(set(self.ids()) & set(first))
        # A column's head leaves the order of scores.
        self.browser.one("thead th button").click()
        self.browser.wait(lambda: len(self.rows()[0]) == count)
        self.assertFalse(self.browser.one("[data-key=best]").is_selected())
        box = self.browser.one("[data-key=filter]")
        box.clear()
        box.send_keys("stars == 5", Keys.ENTER)
        self.browser.wait(lambda: {row[3] for row in self.rows()} == {"5"})
        self.assertFalse(self.browser.one("[data-key=best]").is_displayed())

    def test_fault_of_a_filter_has_a_caret(self):
        self.browser.open(self.program, "#/table/Message?filter=" + "stars%20%3E%203%20%26%26%20titel%20%3D%3D%201")
        fault = self.browser.one(".fault")
        self.assertIn("'Message' has no property 'titel'", fault.text)
        self.assertEqual(fault.find_element(By.TAG_NAME, "mark").text, "titel")
        self.assertIn("^~~~~", fault.text)
        self.assertEqual(self.browser.one("[data-key=filter]").get_attribute("aria-invalid"), "true")
        self.browser.picture("fault")
        self.check_access()

    def test_object_has_values_and_relations_both_ways(self):
        self.browser.open(self.program, "#/object/Person/1")
        self.browser.wait(lambda: len(self.browser.all(".related table")) == 6)
        values = self.browser.text("dl.values")
        self.assertIn("Ada Lovelace", values)
        self.assertIn("image/png", values)
        self.assertIn("64 numbers", values)
        image = self.browser.one("img.picture")
        self.browser.wait(lambda: self.browser.script("return arguments[0].naturalWidth", image) == 64)
        headings = [element.text for element in self.browser.all(".related h2")]
        self.assertTrue(any(text.startswith("Person.boss") for text in headings), headings)
        self.assertTrue(any(text.startswith("Message.author") for text in headings), headings)
        self.assertTrue(any(text.startswith("Nearest by place") for text in headings), headings)
        self.browser.picture("object")
        self.check_access()

    def test_relations_are_clicked_through(self):
        self.browser.open(self.program, "#/object/Message/7")
        self.browser.one("dl.values a").click()
        self.browser.wait(lambda: self.browser.text("h1") == "Person 2")
        self.browser.wait(lambda: len(self.browser.all(".related table")) >= 4)
        more = [link for link in self.browser.all(".related > p > a") if "Message.author" in link.text]
        more[0].click()
        self.browser.wait(lambda: self.browser.text("h1") == "Message")
        self.assertTrue(all(row[6] == "2 grace@example.org" for row in self.rows()))

    def test_nearest_neighbours_come_nearest_first(self):
        self.browser.open(self.program, "#/object/Person/1")
        self.browser.wait(lambda: "Nearest by place" in self.browser.text("main"))
        table = self.browser.all(".related")[-1]
        cells = [row.text for row in table.find_elements(By.CSS_SELECTOR, "tbody tr")]
        self.assertIn("Alan Turing", cells[0])
        scores = [float(text.split()[-1].replace("e+", "e")) for text in cells]
        self.assertEqual(scores, sorted(scores))

    def test_bytes_are_shown_as_such(self):
        self.browser.open(self.program, "#/object/Person/3")
        self.browser.wait(lambda: self.browser.one(".hex") or self.browser.one("details"))
        self.assertIn("200 bytes", self.browser.text("dl.values"))
        summary = [element for element in self.browser.all("summary") if element.text == "the bytes"][0]
        summary.click()
        self.assertIn("0010  10 11 12", self.browser.text(".hex"))

    def test_schema_is_a_diagram_and_a_list(self):
        self.browser.open(self.program, "#/schema")
        self.assertEqual(len(self.browser.all(".diagram svg a")), 3)
        self.assertEqual(len(self.browser.all(".diagram svg > path")), 4)
        self.assertIn("to-one Person", self.browser.text("main"))
        self.browser.picture("schema")
        self.check_access()

    def test_statistics_have_pages_by_table(self):
        self.browser.open(self.program, "#/statistics")
        contents = [row[0] for row in self.rows()]
        self.assertIn("objects of Message", contents)
        self.assertIn("graph of Person.place", contents)
        self.assertIn("Version", self.browser.text(".figures"))
        self.browser.picture("statistics")
        self.check_access()

    def test_narrow_screens_do_not_scroll_sideways(self):
        self.browser.resize(390, 780, True)
        try:
            for route in ("#/", "#/table/Message", "#/object/Person/1", "#/schema", "#/statistics"):
                self.browser.open(self.program, route)
                width = self.browser.script("return document.scrollingElement.scrollWidth")
                self.assertLessEqual(width, 390, route)
                if route == "#/table/Message":
                    self.browser.picture("narrow")
                self.assertEqual(self.browser.violations(), [], route)
        finally:
            self.browser.resize(1280, 860)

    def test_keys(self):
        self.browser.open(self.program, "#/table/Message")
        self.type_key("/")
        self.assertEqual(self.active(), "filter")
        self.browser.one("h1").click()
        self.type_key("n")
        self.browser.wait(lambda: self.ids()[0] == "101")
        for key in ("j", "j", Keys.ENTER):
            self.type_key(key)
        self.browser.wait(lambda: self.browser.text("h1") == "Message 102")
        self.type_key("?")
        self.assertTrue(self.browser.one("#help").is_displayed())
        self.assertEqual(self.browser.violations(is_modal=True), [])
        self.browser.one("#keys-on").click()
        self.browser.one("#help-close").click()
        self.type_key("s")
        self.assertEqual(self.browser.text("h1"), "Message 102")
        self.browser.one("#help-button").click()
        self.browser.one("#keys-on").click()
        self.browser.one("#help-close").click()
        self.type_key("s")
        self.browser.wait(lambda: self.browser.text("h1") == "Schema")

    def type_key(self, key):
        ActionChains(self.browser.driver).send_keys(key).perform()

    def active(self):
        return self.browser.script("return document.activeElement.dataset.key")

    def test_skip_link_leads_to_the_content(self):
        self.browser.open(self.program, "#/table/Person")
        self.browser.one("body").send_keys(Keys.TAB)
        self.browser.driver.switch_to.active_element.send_keys(Keys.ENTER)
        self.assertEqual(self.browser.script("return document.activeElement.id"), "main")
        self.assertEqual(self.browser.text("h1"), "Person")

    def test_faults_of_addresses_are_told(self):
        for route, words in (("#/table/Nobody", "no entity 'Nobody'"), ("#/object/Person/99", "no 'Person' with ID 99"),
                             ("#/nothing", "there is no such page")):
            self.browser.open(self.program, route)
            self.assertIn(words, self.browser.text(".fault"))


class NumberTests(Case):
    """Numbers that JavaScript's own do not hold."""

    def test_numbers_of_64_bits_have_all_digits(self):
        identity, number = 2**63 + 1, 2**53 + 1
        self.program.put("Draft", *(
            {"id": identity + index, "title": "far", "marks": [number, -number, 2**63 - 1], "due": number + index}
            for index in range(4)))
        self.browser.open(self.program, "#/table/Draft?order=due")
        self.browser.wait(lambda: self.ids() == [str(identity + index) for index in range(4)])
        self.browser.one("main tbody th a").click()
        self.browser.wait(lambda: self.browser.text("h1") == f"Draft {identity}")
        self.assertIn(f"{number}, {-number}, {2**63 - 1}", self.browser.text("dl.values"))
        self.assertEqual(self.browser.all("dl.values dd")[-1].text, str(number))


class SafetyTests(Case):
    """Refusals, and hostile content of a store."""

    def test_stored_scripts_are_texts(self):
        for route in ("#/table/Person", "#/object/Person/7", "#/table/Person?filter=" + "name%20contains%20%22%3Cscript%22"):
            self.browser.open(self.program, route)
            self.browser.wait(lambda: sample.SCRIPT[:20] in self.browser.text("main"))
            self.assertNotIn("stolen", self.browser.driver.title)
            self.assertEqual(self.browser.all("main script, main img[src=x]"), [])

    def test_inline_scripts_are_refused_by_the_policy(self):
        self.browser.open(self.program)
        self.browser.script("""
            const steal = "document.title = 'stolen'";
            const attempts = [
                () => { const script = document.createElement('script'); script.append(steal); document.body.append(script); },
                () => document.body.setAttribute('onclick', steal),
                () => document.body.insertAdjacentHTML('beforeend', `<img src=x onerror="${steal}">`),
                () => setTimeout(steal),
                () => { location.href = `javascript:${steal}`; },
            ];
            for (const attempt of attempts) { try { attempt(); } catch { } }
            document.body.click();
        """)
        self.browser.wait(lambda: len(self.browser.log()) > 0)
        self.assertNotIn("stolen", self.browser.driver.title)
        self.browser.log()

    def test_rebinding_a_name_is_refused(self):
        self.browser.driver.get(f"http://evil.test:{self.program.port}/{self.program.token}/")
        self.assertIn("answers to its address on the loopback interface only", self.browser.text("body"))
        self.browser.log()

    def test_pages_of_other_origins_get_nothing(self):
        self.browser.driver.get("data:text/html,<title>other</title>")
        for path in ("api/schema", "main.js", "api/events"):
            answer = self.browser.asynchronously(f"fetch('{self.program.address}{path}').then((r) => r.text())")
            self.assertIn("fault", answer)
        self.browser.log()

    def test_requests_without_token_host_or_origin_are_refused(self):
        own = f"/{self.program.token}/"
        cases = [
            ("/", {}, 403), ("/api/schema", {}, 403), (f"/{'0' * 32}/", {}, 403), (own + "../etc/passwd", {}, 404),
            (own, {"Host": "evil.test"}, 421), (own, {"Host": f"evil.test:{self.program.port}"}, 421),
            (own + "api/schema", {"Origin": "http://evil.test"}, 403), (own + "api/schema", {"Origin": "null"}, 403),
            (own + "api/schema", {"Sec_Fetch_Site": "cross-site"}, 403),
            (own + "api/schema", {}, 200), (own, {}, 200),
        ]
        for path, header, status in cases:
            self.assertEqual(self.program.request(path, **header)[0], status, (path, header))

    def test_every_answer_is_protected(self):
        for path in (f"/{self.program.token}/", f"/{self.program.token}/api/schema", "/", "/nothing"):
            _, header, _ = self.program.request(path)
            self.assertIn("script-src 'self'", header["Content-Security-Policy"], path)
            self.assertNotIn("unsafe", header["Content-Security-Policy"])
            self.assertEqual(header["X-Content-Type-Options"], "nosniff")
            self.assertEqual(header["Referrer-Policy"], "no-referrer")
            self.assertNotIn("Access-Control-Allow-Origin", header)

    def test_nothing_is_written_without_the_flag(self):
        path = f"/{self.program.token}/api/"
        body = json.dumps({"entity": "Person", "id": "1", "ids": ["1"], "values": {"name": "x"}})
        for name in ("put", "remove", "relate"):
            status, _, content = self.program.request(path + name, "POST", body, Content_Type="application/json")
            self.assertEqual(status, 403)
            self.assertIn(b"--writable", content)
        self.browser.open(self.program, "#/object/Person/1")
        self.assertEqual([button.text for button in self.browser.all("main button")], [])

    def test_long_and_broken_requests_end(self):
        path = f"/{self.program.token}/api/"
        self.assertEqual(self.program.request(path + "put", "POST", b"x" * (5 << 20), Content_Type="application/json")[0], 413)
        self.assertEqual(self.program.request(path + "objects?entity=%FF%00&filter=" + "(" * 3000)[0], 404)
        self.assertEqual(self.program.request(path + "objects?entity=Person&filter=" + "(" * 3000)[0], 422)


class LiveTests(Case):
    """Commits of other programs update the page."""

    def test_a_table_follows_commits(self):
        self.browser.open(self.program, "#/table/Draft")
        self.assertIn("There are no objects", self.browser.text("main"))
        self.program.put("Draft", {"title": "first"}, {"title": "second"})
        self.browser.wait(lambda: len(self.ids()) == 2)
        self.program.put("Draft", {"id": 1, "title": "changed"})
        self.browser.wait(lambda: "changed" in self.browser.text("main tbody"))
        self.assertIn("2 objects", self.browser.text(".heading"))
        self.assertRegex(self.browser.text("nav.side"), r"Draft\s*2")

    def test_an_object_follows_commits(self):
        self.browser.open(self.program, "#/object/Person/2")
        self.program.put("Person", {"id": 2, "name": "Admiral Hopper", "email": "grace@example.org"})
        self.browser.wait(lambda: "Admiral Hopper" in self.browser.text("dl.values"))
        self.browser.go("#/statistics")
        before = self.browser.text(".figures")
        self.program.put("Person", {"id": 2, "name": "Grace Hopper", "email": "grace@example.org"})
        self.browser.wait(lambda: self.browser.text(".figures") != before)

    def test_the_end_of_the_program_is_told(self):
        program = Program()
        self.browser.open(program)
        self.assertEqual(program.stop(), 0)
        self.browser.wait(lambda: "Not connected" in self.browser.text("#live"))
        self.browser.log()
        self.browser.driver.get("about:blank")


class EditTests(Case):
    """Edits of objects with `--writable`."""

    options = ("--writable",)

    def field(self, name):
        label = [label for label in self.browser.all("form.edit .field > label") if label.text.split("\n")[0] == name][0]
        return self.browser.one("#" + label.get_attribute("for"))

    def edit(self, route):
        self.browser.open(self.program, route)
        [button for button in self.browser.all("main button") if button.text == "Edit"][0].click()

    def type(self, name, text):
        field = self.field(name)
        field.clear()
        field.send_keys(text)
        return field

    def store(self):
        button = self.browser.one("form.edit button.primary")
        self.browser.script("arguments[0].scrollIntoView({block: 'center'})", button)
        button.click()

    def test_values_are_changed(self):
        self.edit("#/object/Person/5")
        self.type("name", "Konrad Ernst Otto Zuse")
        self.check_access()
        self.store()
        self.browser.wait(lambda: "Konrad Ernst Otto Zuse" in self.browser.text("dl.values"))
        self.browser.driver.refresh()
        self.browser.wait(lambda: "Konrad Ernst Otto Zuse" in self.browser.text("dl.values"))

    def test_a_unique_value_that_is_taken_is_told_at_its_field(self):
        self.edit("#/object/Person/6")
        self.type("email", "ada@example.org")
        self.store()
        self.browser.wait(lambda: self.browser.one("form.edit .field .fault"))
        field = self.field("email")
        self.assertEqual(field.get_attribute("aria-invalid"), "true")
        described = self.browser.one("#" + field.get_attribute("aria-describedby"))
        self.assertIn("already holds", described.text)
        self.assertEqual(self.browser.script("return document.activeElement.id"), field.get_attribute("id"))
        self.browser.picture("unique")
        self.check_access()

    def test_a_wrong_value_is_told_at_its_field(self):
        self.edit("#/object/Message/3")
        self.type("stars", "many")
        self.store()
        self.browser.wait(lambda: "whole number" in self.browser.text("form.edit .fault"))
        self.type("stars", "4")
        self.type("author", "77")
        self.store()
        self.browser.wait(lambda: "there is no 'Person' with ID 77" in self.browser.text("form.edit"))

    def test_an_object_is_added_and_removed(self):
        self.browser.open(self.program, "#/table/Draft")
        [link for link in self.browser.all("main a.button") if link.text == "New object"][0].click()
        self.browser.wait(lambda: self.browser.one("form.edit"))
        self.type("title", "a draft")
        self.store()
        self.browser.wait(lambda: self.browser.text("h1") == "Draft 1")
        self.browser.one("button.danger").click()
        self.assertEqual(self.browser.violations(is_modal=True), [])
        self.browser.wait(lambda: self.browser.one("dialog[open] button.danger").is_enabled())
        self.browser.one("dialog[open] button.danger").click()
        self.browser.wait(lambda: self.browser.text("h1") == "Draft")
        self.assertIn("There are no objects", self.browser.text("main"))

    def test_relations_are_changed(self):
        self.browser.open(self.program, "#/object/Person/1")
        self.browser.wait(lambda: self.browser.one(".related form input"))
        self.assertEqual(len(self.browser.all(".related button[aria-label]")), 3)
        self.browser.one(".related form input").send_keys("6", Keys.ENTER)
        self.browser.wait(lambda: self.browser.one("[aria-label='Take Person 6 out']"))
        self.browser.one("[aria-label='Take Person 2 out']").click()
        self.browser.wait(lambda: not self.browser.one("[aria-label='Take Person 2 out']"))
        self.browser.one(".related form input").send_keys("99", Keys.ENTER)
        self.browser.wait(lambda: "there is no such object" in self.browser.text(".related .fault"))
        self.check_access()

    def test_a_change_of_an_older_state_is_refused(self):
        self.edit("#/object/Message/9")
        answer = self.browser.asynchronously("""fetch('api/put', {method: 'POST',
            headers: {'Content-Type': 'application/json'},
            body: JSON.stringify({entity: 'Message', id: '9', values: {stars: '1'}})}).then((r) => r.status)""")
        self.assertEqual(answer, 200)
        self.type("stars", "2")
        self.store()
        self.browser.wait(lambda: "changed meanwhile" in self.browser.text("form.edit"))


if __name__ == "__main__":
    unittest.main(verbosity=2)
