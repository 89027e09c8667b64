#!/usr/bin/env bash
# The report as a browser shows it: headless Chromium, on a phone's width and a desk's, light and dark.
# usage: browser.sh PROGRAM
set -euo pipefail

program=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
    echo "SKIP: chromium is not installed"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

"$program" fileio prepare --total-size=1M >/dev/null
"$program" fileio run --total-size=1M --mode=rndrd --time=0.1 --json=pattern.json >/dev/null
python3 "$here/make_sets.py" pattern.json
"$program" report linux windows -o page.html
"$program" report linux windows linux windows linux windows linux -o many.html
python3 "$here/browser.py" "$browser" page.html many.html

# What is broken must be found: a page that is too wide, one that fetches, one that cannot be read, one that does not fit
# on paper.
sed 's#<h2>Findings</h2>#<h2 style="width:700px">Findings</h2>#' page.html >wide.html
sed 's#<h2>Findings</h2>#<h2>Findings</h2><img src="/x.png" alt="">#' page.html >fetching.html
sed 's#<h2>Findings</h2>#<h2 style="color:\#888">Findings</h2>#' page.html >pale.html
sed 's#@media print{#&section.job{width:900px}#' page.html >printed.html
if python3 "$here/browser.py" "$browser" wide.html fetching.html pale.html printed.html >found; then
    echo "broken pages are taken for good ones"
    exit 1
fi
for words in 'wide.html, 360 wide: H2. ends at' 'Content Security Policy' 'pale.html, 1280 wide: contrast' \
    'paper-printed.html, 700 wide: SECTION.job'; do
    grep -qF "$words" found || { echo "not found: $words; but: $(cat found)"; exit 1; }
done
