"""Shows pages of `isobench report` in headless Chromium and looks at them as a reader's browser does.

Usage: browser.py CHROMIUM PAGE.html...

At 360 pixels and wider, in light and dark, nothing may stick out of the page, nothing may be fetched, and nothing may be
written to the console; every picture must have room, and text must stand out from its background.
"""

import functools
import html
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

HARNESS = """<!doctype html><meta charset="utf-8"><body style="margin:0">
%s<pre id="answer"></pre><script>
function shade(color) {
    const parts = color.match(/[0-9.]+/g).map(Number).slice(0, 3).map(v => v / 255);
    const [r, g, b] = parts.map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function paper(element) {
    for (; element; element = element.parentElement) {
        const color = getComputedStyle(element).backgroundColor;
        if (color !== "rgba(0, 0, 0, 0)") return color;
    }
    return "rgb(255, 255, 255)";
}
function look(frame) {
    const page = frame.contentDocument, wide = frame.clientWidth, bad = [];
    if (page.documentElement.scrollWidth > wide) bad.push("the page is " + page.documentElement.scrollWidth + " wide");
    for (const element of page.body.querySelectorAll("*")) {
        const box = element.getBoundingClientRect();
        if (box.width > 0 && !element.closest(".scroll,details:not([open])") && box.right > wide + 0.5)
            bad.push(element.tagName + "." + element.className + " ends at " + box.right);
    }
    for (const table of page.querySelectorAll(".pair table")) {
        const over = table.getBoundingClientRect().right - table.closest(".pair>div").getBoundingClientRect().right;
        if (over > 0.5 && !table.closest(".scroll,details:not([open])")) bad.push("a table lies " + over + " over its neighbour");
    }
    for (const picture of page.querySelectorAll("svg")) {
        const box = picture.getBoundingClientRect();
        if (box.width < 250 || box.height < 60) bad.push("a picture of " + box.width + " x " + box.height);
    }
    for (const element of page.body.querySelectorAll("p,b,h1,h2,h3,td,th,a,code,.ratio,.soft,summary")) {
        const ink = shade(getComputedStyle(element).color), under = shade(paper(element));
        const contrast = (Math.max(ink, under) + 0.05) / (Math.min(ink, under) + 0.05);
        if (contrast < 4.5) bad.push("contrast " + contrast.toFixed(2) + ": " + element.tagName + "." + element.className);
    }
    for (const one of frame.contentWindow.performance.getEntriesByType("resource")) bad.push("fetched " + one.name);
    if (page.querySelectorAll("svg").length < 1 || page.querySelectorAll("table").length < 2)
        bad.push("pictures or tables are missing");
    return {page: frame.title, bad: [...new Set(bad)].slice(0, 10), paper: getComputedStyle(page.body).backgroundColor};
}
window.onload = () => {
    document.getElementById("answer").textContent = JSON.stringify([...document.querySelectorAll("iframe")].map(look));
};
</script>"""
FRAME = '<iframe title="{0}, {1} wide" src="/{0}" style="border:0;width:{1}px;height:800px"></iframe>\n'
WIDTHS = (360, 1280)
PAPER_WIDTH = 700  # A4 and Letter, within their margins


class Server(http.server.SimpleHTTPRequestHandler):
    asked = []

    def do_GET(self):
        self.asked.append(self.path)
        super().do_GET()

    def log_message(self, *_):
        pass


def show(chromium, url, dark):
    profile = tempfile.mkdtemp()
    command = [chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}", "--no-first-run",
               "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage",
               "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--enable-logging=stderr",
               f"--blink-settings=preferredColorScheme={0 if dark else 1}", "--window-size=1400,900", "--dump-dom", url]
    try:
        done = subprocess.run(command, capture_output=True, stdin=subprocess.DEVNULL, timeout=120, text=True, check=False)
    finally:
        shutil.rmtree(profile, ignore_errors=True)
    answer = re.search(r'<pre id="answer">(.*?)</pre>', done.stdout, re.S)
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return json.loads(html.unescape(answer.group(1))) if answer and answer.group(1) else None, console


def put_on_paper(path, out):
    """The page as it is printed: all is open, and nothing can be scrolled."""
    text = open(path, encoding="utf-8").read()
    for screen, paper in (("@media print", "@media all"), ("<details", "<details open"), ('class="scroll"', 'class="paper"')):
        assert screen in text, screen
        text = text.replace(screen, paper)
    with open(out, "w", encoding="utf-8") as file:
        file.write(text)


def look(chromium, server, folder, names, dark, widths=WIDTHS):
    """Returns what is wrong, and the pages' background."""
    with open(os.path.join(folder, "harness.html"), "w", encoding="utf-8") as file:
        file.write(HARNESS % "".join(FRAME.format(name, wide) for name in names for wide in widths))
    Server.asked.clear()
    answer, console = show(chromium, f"http://127.0.0.1:{server.server_port}/harness.html", dark)
    if answer is None:
        return [f"no answer; {console}"], None
    bad = [f"{one['page']}: {text}" for one in answer for text in one["bad"]] + console
    expected = ["/harness.html", "/favicon.ico"] + ["/" + name for name in names]
    return bad + [f"asked for {path}" for path in Server.asked if path not in expected], answer[0]["paper"]


def main(chromium, pages):
    with tempfile.TemporaryDirectory() as folder:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Server, directory=folder))
        threading.Thread(target=server.serve_forever, daemon=True).start()
        names = [os.path.basename(shutil.copy(path, folder)) for path in pages]
        bad, light = look(chromium, server, folder, names, False)
        papers = ["paper-" + name for name in names]
        for name, paper in zip(names, papers):
            put_on_paper(os.path.join(folder, name), os.path.join(folder, paper))
        bad += look(chromium, server, folder, papers, False, (PAPER_WIDTH,))[0]
        bad_in_dark, dark = look(chromium, server, folder, names, True)
        server.shutdown()
    bad += [f"dark: {text}" for text in bad_in_dark]
    if light == dark:
        bad.append(f"dark is {dark}, as light is")
    print("\n".join(bad + [f"{len(pages)} pages, {len(bad)} failures"]))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
