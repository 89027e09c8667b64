"""Checks a page of `isobench report` as text. Usage: check_page.py PAGE.html WANTED_TEXT...

It must be well formed, hold no script, no picture and nothing that is fetched from elsewhere, and have every wanted text
among what a reader sees. Pictures must have a label.
"""

import html.parser
import re
import sys

VOID = {"meta", "link", "br"}
FORBIDDEN = {"script", "img", "iframe", "object", "embed", "form", "audio", "video", "base"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.bad, self.words, self.ids, self.anchors = [], [], [], set(), set()

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        if tag in FORBIDDEN:
            self.bad.append(f"<{tag}> is in it")
        for name, value in attrs.items():
            if name.startswith("on") or name == "src":
                self.bad.append(f"{tag} has {name}={value}")
            if name in ("href", "xlink:href") and not value.startswith(("#", "data:")):
                self.bad.append(f"{tag} points to {value}")
        if tag == "svg" and not attrs.get("aria-label") and "waterfall" not in str(self.open[-1]):
            self.bad.append("a picture without a label")
        if "id" in attrs:
            self.bad += [f"two of id {attrs['id']}"] if attrs["id"] in self.ids else []
            self.ids.add(attrs["id"])
        if attrs.get("href", "").startswith("#"):
            self.anchors.add(attrs["href"][1:])
        if tag not in VOID:
            self.open.append((tag, attrs.get("class", "")))

    def handle_startendtag(self, tag, attrs):
        if tag not in ("path", "circle", "rect"):
            self.bad.append(f"<{tag}/> closes itself")

    def handle_endtag(self, tag):
        if not self.open or self.open[-1][0] != tag:
            self.bad.append(f"</{tag}> closes {self.open[-1:]} at {self.getpos()}")
        else:
            self.open.pop()

    def handle_data(self, data):
        if not self.open or self.open[-1][0] != "style":
            self.words.append(data)
        elif re.search(r"url\(|@import|</", data):
            self.bad.append("the style sheet fetches something")


def main(path, wanted):
    text = open(path, encoding="utf-8").read()
    page = Page()
    page.feed(text)
    seen = re.sub(r"\s+", " ", "".join(page.words))
    bad = page.bad + [f"{tag[0]} is not closed" for tag in page.open]
    bad += [f"no place has the id {name}" for name in page.anchors - page.ids]
    bad += [f"it does not show: {words}" for words in wanted if re.sub(r"\s+", " ", words) not in seen]
    print("\n".join(bad) if bad else "good")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
