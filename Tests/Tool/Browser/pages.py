"""The program under test, and a browser that shows its page."""

import base64
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
from pathlib import Path

from axe_selenium_python import Axe
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

import sample

TOOL = os.environ["OBJECTBOX_TOOL"]
PICTURES = os.environ.get("OBJECTBOX_PICTURES")
SECONDS = 20


class Program:
    """`objectbox browse` on a new store of a sample's lines."""

    def __init__(self, *options, lines=sample.lines):
        self.folder = tempfile.TemporaryDirectory(prefix="browse.")
        sample.write(Path(self.folder.name) / "sample.jsonl", lines)
        # The page and its pictures show the store's path.
        self.store = "letters"
        self.run("load", self.store, "sample.jsonl")
        self.browse(self.store, *options)

    def browse(self, *words):
        """Starts the program, and reads its address."""
        self.process = subprocess.Popen(
            [TOOL, "browse", *words], cwd=self.folder.name, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        self.address = self.process.stdout.readline().strip()
        self.port, self.token = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", self.address).groups()
        self.port = int(self.port)

    def run(self, verb, *words):
        result = subprocess.run([TOOL, verb, *words], cwd=self.folder.name, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        return result.stdout

    def put(self, entity, *objects):
        """Stores objects in another process."""
        path = Path(self.folder.name) / "import.jsonl"
        path.write_text("".join(json.dumps(element) + "\n" for element in objects), encoding="utf-8")
        self.run("import", self.store, entity, path.name, "--replace")

    def request(self, path, method="GET", body=None, **header):
        """Sends a request without a browser; returns the status, the header and the content."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        header = {name.replace("_", "-"): value for name, value in header.items()}
        connection.request(method, path, body=body, headers=header)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response.status, dict(response.getheaders()), content

    def stop(self):
        """Ends the program like a terminal; returns its exit status."""
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(SECONDS)
        self.process.stdout.close()
        self.folder.cleanup()
        return status


class DatabaseProgram(Program):
    """`objectbox browse` on a database with the same objects, on a separate server."""

    server_script = Path(__file__).parents[3] / "Scripts" / "postgres.sh"
    password = "Geheimnis"

    def browse(self, store, *options):
        self.data = tempfile.mkdtemp(prefix="browse-server.")
        self.database = self.server("start").strip()
        self.run("copy", store, self.database)
        super().browse(f"{self.database}&password={self.password}", *options)

    def server(self, verb):
        """Starts, halts, resumes or stops the server."""
        result = subprocess.run([self.server_script, verb, self.data], stdout=subprocess.PIPE, text=True, check=True)
        return result.stdout

    def stop(self):
        status = super().stop()
        self.server("stop")
        return status


def has_server():
    """Whether a PostgreSQL server can be started here."""
    folder = tempfile.mkdtemp(prefix="browse-server.")
    script = DatabaseProgram.server_script
    can_start = subprocess.run([script, "start", folder], capture_output=True, check=False).returncode == 0
    subprocess.run([script, "stop", folder], capture_output=True, check=False)
    return can_start


class Browser:
    """Headless Chromium."""

    def __init__(self):
        options = webdriver.ChromeOptions()
        names = ("chromium", "chromium-browser", "google-chrome")
        options.binary_location = next(filter(None, map(shutil.which, names)), "")
        arguments = ["--headless=new", "--hide-scrollbars", "--lang=en",
                     # An attacker's name that resolves to the loopback interface.
                     "--host-resolver-rules=MAP evil.test 127.0.0.1"]
        if os.geteuid() == 0:
            arguments.append("--no-sandbox")
        for argument in arguments:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        self.resize(1280, 860)

    def resize(self, width, height, is_mobile=False):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_mobile})

    def emulate(self, scheme):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme},
                         {"name": "prefers-reduced-motion", "value": "reduce"}]})

    def open(self, program, route="#/"):
        """Opens a view, and waits until it is visible."""
        self.driver.get("about:blank")
        self.driver.get(program.address + route)
        self.wait(lambda: self.one("main[data-ready]") and self.one(".live.on"))

    def go(self, route):
        """Goes to a view of the open page."""
        before = self.one("main").get_attribute("data-ready")
        self.driver.execute_script("location.hash = arguments[0]", route)
        self.wait(lambda: self.one("main").get_attribute("data-ready") != before)

    def wait(self, condition):
        return WebDriverWait(self.driver, SECONDS, poll_frequency=0.05).until(
            lambda _: self.truth(condition), "waited in vain")

    @staticmethod
    def truth(condition):
        try:
            return condition()
        except Exception:  # an element that was replaced meanwhile
            return False

    def one(self, selector):
        found = self.all(selector)
        return found[0] if found else None

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.one(selector).text

    def script(self, text, *arguments):
        return self.driver.execute_script(text, *arguments)

    def asynchronously(self, text):
        """Runs a script whose result is a promise."""
        return self.driver.execute_async_script(
            f"const end = arguments[arguments.length - 1]; ({text}).then(end, (error) => end('fault: ' + error))")

    def log(self):
        """The messages of the console."""
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def violations(self, is_modal=False):
        """
        The violations found by axe, as texts. This version of axe wrongly requires a landmark for a modal dialog, and
        knows comboboxes only by the pattern of ARIA 1.0.
        """
        axe = Axe(self.driver)
        axe.inject()
        options = json.dumps({"rules": {"region": {"enabled": not is_modal}}})
        found = axe.run(options=options)["violations"]
        return [f"{rule['id']}: {node['html'][:160]} {node['failureSummary']}" for rule in found for node in rule["nodes"]
                if not any(words in node["failureSummary"] for words in
                           ("role combobox  is not allowed", "child role not present: listbox"))]

    def picture(self, name):
        """Saves a picture of the page for the documents."""
        if not PICTURES:
            return
        data = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})["data"]
        Path(PICTURES).mkdir(parents=True, exist_ok=True)
        (Path(PICTURES) / f"{name}.png").write_bytes(base64.b64decode(data))

    def quit(self):
        self.driver.quit()
