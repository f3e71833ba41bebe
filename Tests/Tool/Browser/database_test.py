"""Tests of `objectbox browse` on a database in a real browser; Scripts/browser-test.sh runs them."""

import json
import unittest

from browser_test import Case
from pages import Browser, DatabaseProgram, has_server


@unittest.skipUnless(has_server(), "no server of PostgreSQL can be made here")
class DatabaseTests(Case):
    """The same views for a database that other programs change."""

    options = ("--writable",)

    @classmethod
    def setUpClass(cls):
        cls.program = DatabaseProgram(*cls.options)
        cls.browser = Browser()

    def change(self, entity, identifier, values):
        """Changes an object in another program that is connected to the database."""
        other = DatabaseProgram.__new__(DatabaseProgram)
        other.folder = self.program.folder
        super(DatabaseProgram, other).browse(self.program.database, "--writable")
        body = json.dumps({"entity": entity, "id": identifier, "values": values})
        status, _, content = other.request(f"/{other.token}/api/put", "POST", body, Content_Type="application/json")
        self.assertEqual(status, 200, content)
        other.process.terminate()
        other.process.wait()
        other.process.stdout.close()

    def test_tables_and_objects_are_those_of_the_store(self):
        self.browser.open(self.program)
        rows = {row[0]: row[1] for row in self.rows()}
        self.assertEqual(rows, {"Person": "7", "Message": "3,000", "Draft": "0"})
        self.assertIn("Database postgresql://", self.browser.text("main"))
        self.browser.go("#/table/Message?order=-stars")
        self.assertEqual(self.rows()[0][3], "5")
        self.browser.one("[data-key=next]").click()
        self.browser.wait(lambda: "Page 2" in self.browser.text(".pager"))
        self.browser.go("#/table/Message?filter=stars%20%3D%3D%205%20%26%26%20author.name%20startsWith%20%22B%22")
        self.assertEqual({row[3] for row in self.rows()}, {"5"})
        self.assertIn("'Message'", self.browser.text(".plan pre"))
        self.check_access()
        self.browser.go("#/object/Person/1")
        self.browser.wait(lambda: len(self.browser.all(".related table")) == 6)
        image = self.browser.one("img.picture")
        self.browser.wait(lambda: self.browser.script("return arguments[0].naturalWidth", image) == 64)
        self.browser.wait(lambda: "Nearest by place" in self.browser.text("main"))
        self.check_access()

    def test_statistics_are_those_of_a_database(self):
        self.browser.open(self.program, "#/statistics")
        self.assertIn("objects of Message", [row[0] for row in self.rows()])
        self.assertIn("PostgreSQL", self.browser.text(".figures"))
        self.assertIn("The server has no replicas now.", self.browser.text("main"))
        self.assertNotIn("pages", self.browser.text("main").lower())
        self.check_access()

    def test_the_password_is_not_shown(self):
        for route in ("#/", "#/statistics", "#/table/Nobody"):
            self.browser.open(self.program, route)
            self.assertNotIn(self.program.password, self.browser.driver.page_source)
            self.assertNotIn(self.program.password, self.browser.driver.title)

    def test_an_object_follows_commits_of_other_programs(self):
        self.browser.open(self.program, "#/object/Person/2")
        self.change("Person", "2", {"name": "Admiral Hopper"})
        self.browser.wait(lambda: "Admiral Hopper" in self.browser.text("dl.values"))

    def test_a_unique_value_that_is_taken_is_told_at_its_field(self):
        self.browser.open(self.program, "#/object/Person/6")
        [button for button in self.browser.all("main button") if button.text == "Edit"][0].click()
        label = [label for label in self.browser.all("form.edit .field > label") if label.text.startswith("email")][0]
        field = self.browser.one("#" + label.get_attribute("for"))
        field.clear()
        field.send_keys("ada@example.org")
        button = self.browser.one("form.edit button.primary")
        self.browser.script("arguments[0].scrollIntoView({block: 'center'})", button)
        button.click()
        self.browser.wait(lambda: "already holds" in self.browser.text("form.edit .field .fault"))
        self.browser.log()

    def test_a_server_that_is_away_is_told_and_the_page_recovers(self):
        self.browser.open(self.program, "#/table/Person")
        self.program.server("halt")
        self.browser.wait(lambda: "no server listens" in self.browser.text("#fault"))
        self.assertIn("Not connected", self.browser.text("#live"))
        self.check_access()
        self.browser.go("#/object/Person/3")
        self.assertIn("no server listens", self.browser.text("main"))
        self.program.server("resume")
        self.browser.wait(lambda: self.browser.text("h1") == "Person 3")
        self.browser.wait(lambda: self.browser.one(".live.on"))
        self.assertEqual(self.browser.all("main .fault"), [])
        self.change("Person", "3", {"name": "Alan M. Turing"})
        self.browser.wait(lambda: "Alan M. Turing" in self.browser.text("dl.values"))
        # Answers while the server was away.
        self.browser.log()


if __name__ == "__main__":
    unittest.main()
