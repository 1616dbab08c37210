"""Opens reports in headless Chromium. Call: page_test.py COPPICE; exit code 77 says that there is no Chromium."""

import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser, find_chromium  # noqa: E402
from made_up_run import HOSTILE, write_run  # noqa: E402

SECTIONS = ["headline", "front", "units", "learning", "lives", "lengths", "network", "importance", "nets", "data",
            "configuration"]
CHARTS = ["front", "units", "error", "loss", "fan-in", "fan-out"]
# What only one of the tasks has: sections, charts.
EXTRA = {"classes": (["confusion", "calibration"], ["calibration"]),
         "images": (["confusion", "calibration"], ["calibration"]),
         "numbers": (["predictions"], ["predictions"])}

DRAWN_PIXELS = """(() => {
  const canvas = document.querySelector('#chart-%s canvas');
  const data = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
  let drawn = 0;
  for (let i = 3; i < data.length; i += 4) drawn += data[i] > 0;
  return drawn;
})()"""
CHOSEN_PLACE = """(() => {
  document.getElementById('front').scrollIntoView();
  const chart = Chart.getChart(document.querySelector('#chart-front canvas'));
  const place = chart.getDatasetMeta(0).data[1];
  const box = chart.canvas.getBoundingClientRect();
  return [box.left + place.x, box.top + place.y];
})()"""
TOOLTIP = """(() => {
  const tip = Chart.getChart(document.querySelector('#chart-front canvas')).tooltip;
  return tip.opacity > 0 ? tip.title.concat(tip.body.flatMap((part) => part.lines)).join('; ') : '';
})()"""
VISIBLE = "getComputedStyle(document.querySelector('%s')).display !== 'none'"


class PageTest(unittest.TestCase):
    program = ""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="coppice-page-")
        cls.pages = {}
        for kind in EXTRA:
            run = os.path.join(cls.folder.name, kind)
            write_run(run, kind)
            subprocess.run([cls.program, "report", run], check=True, stdout=subprocess.DEVNULL)
            cls.pages[kind] = os.path.join(run, "report.html")
        cls.browser = Browser(find_chromium())

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.folder.cleanup()

    def setUp(self):
        self.browser.call("Emulation.setScriptExecutionDisabled", value=False)
        self.browser.call("Emulation.setEmulatedMedia", media="", features=[])
        self.resize(1280)

    def resize(self, width):
        self.browser.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
                          mobile=width < 600)

    def test_no_errors_and_no_requests(self):
        for kind, page in self.pages.items():
            with self.subTest(kind):
                self.browser.open(page)
                self.assertEqual(self.browser.named("Runtime.exceptionThrown"), [])
                self.assertEqual(self.browser.named("Runtime.consoleAPICalled"), [])
                self.assertEqual(self.browser.named("Log.entryAdded"), [])
                requests = [event["request"]["url"] for event in self.browser.named("Network.requestWillBeSent")]
                self.assertEqual([url for url in requests if not url.endswith("report.html")], [])
                self.assertEqual(self.browser.run("performance.getEntriesByType('resource').length"), 0)

    def test_sections_and_charts_have_content(self):
        for kind, page in self.pages.items():
            self.browser.open(page)
            sections, charts = EXTRA[kind]
            found = self.browser.run("[...document.querySelectorAll('section')].map((s) => s.id)")
            self.assertEqual(sorted(found), sorted(SECTIONS + sections))
            self.assertNotIn("no analysis.json", self.browser.run("document.body.innerText"))
            for chart in CHARTS + charts:
                with self.subTest(kind=kind, chart=chart):
                    self.assertGreater(self.browser.run(DRAWN_PIXELS % chart), 2000)
            for section in ("lives", "network"):
                self.assertGreater(self.browser.run(f"document.querySelectorAll('#{section} svg *').length"), 10)
        self.browser.open(self.pages["images"])
        self.assertEqual(self.browser.run("document.querySelectorAll('#importance svg').length"), 2)

    def test_hovering_shows_the_net(self):
        self.browser.open(self.pages["classes"])
        self.assertEqual(self.browser.run(TOOLTIP), "")
        x, y = self.browser.run(CHOSEN_PLACE)
        self.browser.hover(x, y)
        self.browser.run("new Promise((done) => setTimeout(done, 300))")
        text = self.browser.run(TOOLTIP)
        for part in ("lambda 0.0333333", "(chosen)", "22-22 units, 300 parameters", "10.00 % ± 1.00 %",
                     "test error 11.00 %"):
            self.assertIn(part, text)

    def test_text_of_the_user_stays_text(self):
        for kind, page in self.pages.items():
            with self.subTest(kind):
                self.browser.open(page)
                self.assertEqual(self.browser.named("Page.javascriptDialogOpening"), [])
                self.assertEqual(self.browser.run("document.querySelectorAll('img').length"), 0)
                self.assertEqual(self.browser.run("document.scripts.length"), 3)
                self.assertIn(HOSTILE, self.browser.run("document.getElementById('data').textContent"))

    def test_a_script_that_slipped_in_would_not_run(self):
        with open(self.pages["classes"], encoding="utf-8") as file:
            page = file.read().replace("<main>", "<main><img src=x onerror=alert(1)><script>alert(2)</script>")
        slipped = os.path.join(self.folder.name, "slipped.html")
        with open(slipped, "w", encoding="utf-8") as file:
            file.write(page)
        self.browser.open(slipped)
        self.assertEqual(self.browser.named("Page.javascriptDialogOpening"), [])

    def test_another_net_can_be_selected(self):
        self.browser.open(self.pages["classes"])
        shown = "[...document.querySelectorAll('#lives [data-net]')].filter((e) => !e.hidden).map((e) => e.dataset.net)"
        self.assertEqual(set(self.browser.run(shown)), {"1"})
        self.browser.run("(() => { const s = document.querySelector('#units .net-select'); s.value = '2';"
                         "s.dispatchEvent(new Event('change')); })()")
        self.assertEqual(set(self.browser.run(shown)), {"2"})
        self.assertEqual(self.browser.run("document.querySelector('#lengths .net-select').value"), "2")
        self.assertEqual(self.browser.named("Runtime.exceptionThrown"), [])

    def test_pictures_where_scripts_are_off_and_on_paper(self):
        self.browser.open(self.pages["classes"])
        self.assertTrue(self.browser.run(VISIBLE % "#chart-front .canvas"))
        self.assertFalse(self.browser.run(VISIBLE % "#chart-front .static"))
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        self.assertFalse(self.browser.run(VISIBLE % "#chart-front .canvas"))
        self.assertTrue(self.browser.run(VISIBLE % "#chart-front .static"))
        self.browser.call("Emulation.setEmulatedMedia", media="")
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        self.browser.open(self.pages["classes"])
        self.assertFalse(self.browser.run(VISIBLE % "#chart-front .canvas"))
        self.assertTrue(self.browser.run(VISIBLE % "#chart-front .static"))

    def test_fits_a_phone(self):
        self.resize(390)
        for page in self.pages.values():
            self.browser.open(page)
            self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), 390)

    def test_dark_and_light_differ(self):
        colours = set()
        for scheme in ("light", "dark"):
            self.browser.call("Emulation.setEmulatedMedia",
                              features=[{"name": "prefers-color-scheme", "value": scheme}])
            self.browser.open(self.pages["classes"])
            colours.add(self.browser.run("getComputedStyle(document.body).backgroundColor"))
        self.assertEqual(len(colours), 2)


if __name__ == "__main__":
    if find_chromium() is None:
        print("skipped: there is no Chromium here; install the package chromium")
        sys.exit(77)
    PageTest.program = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
