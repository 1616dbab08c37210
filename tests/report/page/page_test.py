"""Opens reports in headless Chromium. Call: page_test.py COPPICE; exit code 77 says that there is no Chromium."""

import csv
import io
import math
import os
import subprocess
import sys
import tempfile
import unittest
from xml.etree import ElementTree

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from browser import Browser, find_chromium  # noqa: E402
from made_up_run import HOSTILE, write_run  # noqa: E402

SECTIONS = ["headline", "front", "units", "learning", "lives", "lengths", "network", "importance", "nets", "data",
            "configuration"]
# What only one of the tasks has.
EXTRA = {"classes": ["confusion", "curves", "calibration", "dependence", "whatif"],
         "two": ["confusion", "curves", "calibration", "dependence", "whatif"],
         "images": ["confusion", "curves", "calibration"], "numbers": ["predictions", "dependence", "whatif"]}
# Charts that are seen at first, by section: how many, and what lies in them besides the axes.
CHARTS = {"front": (1, "path.front-line, circle"), "units": (1, "path.curve"), "learning": (2, "path.curve"),
          "lives": (2, "path.life"), "lengths": (2, "path.curve"), "calibration": (1, "path.curve, circle"),
          "predictions": (3, "path.dots, path.filled"), "curves": (2, "path.curve"), "dependence": (1, "path.curve")}

# Charts of a section that are seen: their sizes, and how many of the wanted elements lie inside their area.
SEEN = """[...document.querySelectorAll('#%s .plot')].filter((plot) => plot.checkVisibility()).map((plot) => {
  const area = plot.querySelector('.area').getBoundingClientRect();
  const inside = [...plot.querySelectorAll('%s')].map((mark) => mark.getBoundingClientRect()).filter((box) =>
    box.width + box.height > 0 && box.left >= area.left - 9 && box.right <= area.right + 9 &&
    box.top <= area.bottom + 9 && box.bottom >= area.top - 9);
  return { width: area.width, height: area.height, inside: inside.length };
})"""
# The middle of an element, scrolled into the window; what scrolling does comes with the next frames.
MIDDLE = """(async () => {
  const element = document.querySelector("%s");
  element.scrollIntoView({ block: 'center', behavior: 'instant' });
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const box = element.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2, box.width, box.height];
})()"""
TIP = "(() => { const tip = document.querySelector('.tip'); return tip.hidden ? '' : tip.innerText; })()"
SHOWN = "[...document.querySelectorAll(\"%s\")].filter((e) => e.checkVisibility()).length"
CURVE = "#units [data-net='1'] [data-name='layer 1']"


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

    def hover(self, x, y):
        self.browser.hover(x, y)
        return self.browser.run(TIP)

    def over(self, selector):
        """What is told in the middle of an element."""
        return self.hover(*self.browser.run(MIDDLE % selector)[:2])

    def select(self, section, kind, value):
        self.browser.run(f"(() => {{ const s = [...document.querySelectorAll('#{section} select[data-selects={kind}]')]"
                         f".find((e) => e.checkVisibility()); s.value = '{value}'; s.dispatchEvent(new Event('change')); }})()")

    def test_sections_and_charts_have_content(self):
        for kind, page in self.pages.items():
            self.browser.open(page)
            found = self.browser.run("[...document.querySelectorAll('section')].map((s) => s.id)")
            self.assertEqual(sorted(found), sorted(SECTIONS + EXTRA[kind]))
            self.assertNotIn("no analysis.json", self.browser.run("document.body.innerText"))
            for section, (count, marks) in CHARTS.items():
                if section not in found:
                    continue
                with self.subTest(kind=kind, section=section):
                    charts = self.browser.run(SEEN % (section, marks))
                    self.assertEqual(len(charts), count)
                    for chart in charts:
                        self.assertGreater(chart["width"], 250)
                        self.assertGreater(chart["height"], 50)
                        self.assertGreater(chart["inside"], 0)
            self.assertGreater(self.browser.run("document.querySelectorAll('#network svg *').length"), 10)
        self.browser.open(self.pages["images"])
        self.assertEqual(self.browser.run("document.querySelectorAll('#importance svg').length"), 2)

    def test_pointing_at_a_net_tells_about_it(self):
        self.browser.open(self.pages["classes"])
        self.assertEqual(self.browser.run(TIP), "")
        text = self.over("#front circle.chosen")
        for part in ("lambda 0.0333,", "(chosen)", "22-22 units, 300 parameters", "10.00 % ± 1.00 %",
                     "test error 11.00 %"):
            self.assertIn(part, text)
        self.assertEqual(self.hover(5, 5), "", "and away from it nothing")

    def test_pointing_at_a_curve_tells_its_values(self):
        """What is told of an epoch is what the journal says, of every curve, with its phase."""
        self.browser.open(self.pages["classes"])
        x, y, width, _ = self.browser.run(MIDDLE % "#units [data-net='1'] .area")
        for epoch, units, about in ((10, 20, "grow"), (24, 26, "settle"), (36, 22, "settle, taken back later")):
            text = self.hover(x + width * (epoch - 20) / 40, y)
            self.assertEqual(text.split("\n"), [f"epoch {epoch}, {about}", f"layer 1: {units}", f"layer 2: {units}"])
            self.assertEqual(self.browser.run(SHOWN % "#units .spot"), 2)
        text = self.over("#learning [data-net='1'] .area")
        self.assertEqual(text.split("\n")[0], "epoch 20, grow")
        self.assertAlmostEqual(float(text.split("validation error: ")[1].split(" %")[0]),
                               100 * (0.1 + 0.05 * math.cos(20) / 20), places=2)
        self.assertIn("unit 0:", self.over("#lengths [data-net='1'] .area"))
        self.assertRegex(self.over("#calibration circle"), "before the temperature\nsays 45.00 %, right 40.00 %\n30 rows")
        self.browser.open(self.pages["numbers"])
        x, y, width, height = self.browser.run(MIDDLE % "#predictions .dots")
        self.assertEqual(self.hover(x - width / 2, y + height / 2), "actual 0\npredicted 0")
        self.assertEqual(self.hover(x + width / 2, y - height / 2), "actual 49\npredicted 53.9")
        self.assertEqual(self.browser.named("Runtime.exceptionThrown"), [])

    def test_a_finger_tells_too(self):
        self.resize(390)
        self.browser.open(self.pages["classes"])
        x, y = self.browser.run(MIDDLE % "#front circle.chosen")[:2]

        def touch(kind, points):
            self.browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)
        touch("touchStart", [{"x": x, "y": y}])
        touch("touchEnd", [])
        self.assertIn("22-22 units", self.browser.run(TIP), "and it stays when the finger is lifted")
        box = self.browser.run("(() => { const b = document.querySelector('.tip').getBoundingClientRect(); return [b.left, b.right]; })()")
        self.assertGreaterEqual(box[0], 0)
        self.assertLessEqual(box[1], 390)
        touch("touchStart", [{"x": 5, "y": 5}])
        touch("touchEnd", [])
        self.assertEqual(self.browser.run(TIP), "")

    def test_a_legend_shows_and_hides(self):
        self.browser.open(self.pages["classes"])
        press = "document.querySelector(\"#units [data-net='1'] [data-key=%s]\").click()"
        self.assertEqual(self.browser.run(SHOWN % CURVE), 1)
        self.browser.run(press % "s1")
        self.assertEqual(self.browser.run(SHOWN % CURVE), 0)
        self.assertNotIn("layer 1", self.over("#units [data-net='1'] .area"))
        self.select("units", "net", 2)
        self.assertEqual(self.browser.run(SHOWN % CURVE.replace("'1'", "'2'")), 0, "of every net")
        self.select("units", "net", 1)
        self.browser.run(press % "s1")
        self.assertEqual(self.browser.run(SHOWN % CURVE), 1)
        # A mark that two entries name is seen when both are on.
        seen = SHOWN % "#front .whisker.chosen"
        for key, count in (("whisker", 0), ("chosen", 0), ("chosen", 0), ("whisker", 1)):
            self.browser.run(f"document.querySelector('#front [data-key={key}]').click()")
            self.assertEqual(self.browser.run(seen), count)
        keys = "document.querySelector('#front [data-key=chosen]').dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'}))"
        self.browser.run(keys)
        self.assertEqual(self.browser.run(seen), 0, "with the keyboard too")

    def test_a_threshold_moves_with_mouse_and_keyboard(self):
        self.browser.open(self.pages["two"])
        state = """(() => {
          const box = document.querySelector('.threshold');
          const facts = Object.fromEntries([...box.querySelectorAll('[data-fact]')].map((e) => [e.dataset.fact, e.textContent]));
          const mark = document.querySelector('.at-roc');
          return [box.querySelector('output').textContent, facts, mark.getAttribute('cx'), mark.getAttribute('cy')];
        })()"""
        # At 0.5: 15 of 30 found, 15 of 60 others taken for them.
        self.assertEqual(self.browser.run(state), ["0.5", {"recall": "50.00 %", "precision": "50.00 %", "error": "33.33 %",
                                                           "false_positives": "25.00 %", "f1": "50.00 %"}, "25%", "50%"])
        self.browser.run("document.querySelector('.threshold input').focus()")
        for kind in ("keyDown", "keyUp"):
            self.browser.call("Input.dispatchKeyEvent", type=kind, key="ArrowRight", code="ArrowRight", windowsVirtualKeyCode=39)
        threshold, facts, x, y = self.browser.run(state)
        self.assertEqual((threshold, facts["recall"], x, y), ("0.6", "40.00 %", "15%", "60%"))
        self.assertEqual(self.browser.run("document.querySelector('.threshold input').getAttribute('aria-valuetext')"), "0.6")
        self.browser.run("[...document.querySelectorAll('.threshold button')].find((b) => b.textContent === 'best F1').click()")
        self.assertEqual(self.browser.run(state)[0], "0.3")
        self.browser.run("(() => { const s = document.querySelector('.threshold input'); s.value = 10; s.dispatchEvent(new Event('input')); })()")
        self.assertEqual(self.browser.run(state)[1]["precision"], "-", "nothing is answered with the class")
        self.assertEqual(self.browser.run(SHOWN % ".at-precision"), 0)
        self.assertEqual(self.browser.named("Runtime.exceptionThrown"), [])

    def saved(self, section, label, number=0):
        """The file that a button would save."""
        return self.browser.run("""(async () => {
          let blob;
          const real = URL.createObjectURL;
          URL.createObjectURL = (own) => { blob = own; return '#'; };
          HTMLAnchorElement.prototype.click = function () { document.title = this.download; };
          [...document.querySelectorAll('#%s .save button')].filter((b) => b.textContent === '%s')[%d].click();
          URL.createObjectURL = real;
          return [document.title, await blob.text()];
        })()""" % (section, label, number))

    def test_charts_and_tables_can_be_saved(self):
        self.browser.open(self.pages["classes"])
        name, text = self.saved("curves", "SVG")
        self.assertEqual(name, "curves-roc-curves.svg")
        drawing = ElementTree.fromstring(text)
        self.assertTrue(drawing.tag.endswith("svg"))
        styles = [e.get("style") for e in drawing.iter() if "curve" in (e.get("class") or "").split()]
        self.assertEqual(len(styles), 3)
        for style in styles:
            self.assertRegex(style, r"stroke:rgb\(")
        name, text = self.saved("curves", "csv")
        self.assertEqual(name, "curves-roc-curves.csv")
        rows = list(csv.reader(io.StringIO(text)))
        self.assertEqual(rows[0], ["curve", "of other rows given it", "value"])
        self.assertEqual(len(rows), 1 + 3 * 11)
        self.assertEqual((rows[1][0], [float(x) for x in rows[3][1:]]), (HOSTILE, [0.04, 0.2]))
        name, text = self.saved("confusion", "csv")
        rows = list(csv.reader(io.StringIO(text)))
        self.assertEqual(rows[1], [HOSTILE, "25", "5", "", "83.33 %"])
        _, text = self.saved("importance", "csv")
        self.assertEqual(list(csv.reader(io.StringIO(text)))[1], [HOSTILE, "+0.3000"])
        self.assertEqual(self.browser.named("Runtime.exceptionThrown"), [])

    def test_text_of_the_user_stays_text(self):
        for kind, page in self.pages.items():
            with self.subTest(kind):
                self.browser.open(page)
                self.assertEqual(self.browser.named("Page.javascriptDialogOpening"), [])
                self.assertEqual(self.browser.run("document.querySelectorAll('img').length"), 0)
                self.assertEqual(self.browser.run("document.scripts.length"), 1)
                self.assertIn(HOSTILE, self.browser.run("document.getElementById('data').textContent"))

    def test_a_script_that_slipped_in_would_not_run(self):
        with open(self.pages["classes"], encoding="utf-8") as file:
            page = file.read().replace("<main>", "<main><img src=x onerror=alert(1)><script>alert(2)</script>")
        slipped = os.path.join(self.folder.name, "slipped.html")
        with open(slipped, "w", encoding="utf-8") as file:
            file.write(page)
        self.browser.open(slipped)
        self.assertEqual(self.browser.named("Page.javascriptDialogOpening"), [])

    def test_another_net_and_layer_can_be_selected(self):
        self.browser.open(self.pages["classes"])
        shown = "[...document.querySelectorAll('[data-net]')].filter((e) => e.checkVisibility()).map((e) => e.dataset.net)"
        self.assertEqual(self.browser.run(shown), ["1"] * 4)
        self.select("units", "net", 2)
        self.assertEqual(self.browser.run(shown), ["2"] * 4)
        self.assertEqual(self.browser.run("document.querySelector('#lengths select').value"), "2")
        layers = shown.replace("net", "layer")
        self.assertEqual(self.browser.run(layers), ["0"])
        self.select("lengths", "layer", 1)
        self.assertEqual(self.browser.run(layers), ["1"])
        self.select("lengths", "net", 0)
        self.assertEqual(self.browser.run(layers), ["1"], "of the other net too")
        self.assertEqual(self.browser.named("Runtime.exceptionThrown"), [])

    def test_charts_where_scripts_are_off_and_on_paper(self):
        def seen():
            return {name: len(self.browser.run(SEEN % (name, marks))) for name, (_, marks) in CHARTS.items()}
        self.browser.open(self.pages["classes"])
        live = seen()
        self.assertTrue(self.browser.run(SHOWN % "#units select"))
        self.browser.call("Emulation.setEmulatedMedia", media="print")
        self.assertEqual(seen(), live)
        self.browser.call("Emulation.setEmulatedMedia", media="")
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        self.browser.open(self.pages["classes"])
        self.assertEqual(seen(), live)
        self.assertFalse(self.browser.run(SHOWN % "#units select"), "what only a script can use is not seen")
        title = self.browser.run("document.querySelector('#front circle.chosen title').textContent")
        self.assertIn("22-22 units", title, "the browser itself tells about the nets")

    def test_fits_a_phone(self):
        self.resize(390)
        for page in self.pages.values():
            self.browser.open(page)
            self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), 390)
            small = "[...document.querySelectorAll('.plot text')].filter((e) => e.checkVisibility() && e.getBoundingClientRect().height < 11)"
            self.assertEqual(self.browser.run(small + ".length"), 0, "all labels can be read")
            overlaps = """[...document.querySelectorAll('.plot')].filter((plot) => plot.checkVisibility()).flatMap((plot) => {
              const boxes = [...plot.querySelectorAll('text[text-anchor=middle]:not(.name)')].filter((e) => e.checkVisibility())
                .map((e) => e.getBoundingClientRect());
              return boxes.slice(1).filter((box, i) => box.left < boxes[i].right);
            }).length"""
            self.assertEqual(self.browser.run(overlaps), 0, "none covers another")
            cut = """[...document.querySelectorAll('td, th, .bars span, label, .tile b')].filter((e) => e.checkVisibility())
              .filter((e) => e.getBoundingClientRect().right > 391).map((e) => e.textContent)"""
            self.assertEqual(self.browser.run(cut), [], "nothing lies beyond the edge")
            outside = """[...document.querySelectorAll('.picture text')].filter((e) => e.checkVisibility()).filter((e) => {
              const box = e.getBoundingClientRect();
              return box.left < 0 || box.right > 391;
            }).map((e) => e.textContent)"""
            self.assertEqual(self.browser.run(outside), [], "all of the network is seen")
            apart = """[...document.querySelectorAll('.wide td small')].filter((e) => e.checkVisibility()).filter((e) => {
              const number = document.createRange();
              number.selectNode(e.previousSibling);
              return e.getBoundingClientRect().left - number.getBoundingClientRect().right > 20;
            }).length"""
            self.assertEqual(self.browser.run(apart), 0, "a number stands beside how sure it is")

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
