/* report/style.c: the page's style sheet: one column on a phone, two where there is room, dark where the reader's
 * system is, and ink on paper in print. */
#include "report/draw.h"

#include <stddef.h>

const char *const page_style[] = {
    /* colours: of sets (also told apart in brightness, and marked with their letters), of judgements, of the page */
    ":root{color-scheme:light dark;--paper:#f6f7f8;--card:#fff;--ink:#1a2027;--soft:#5a6570;--line:#d9dee2;"
    "--good:#13713f;--good-paper:#dff3e6;--bad:#a8321d;--bad-paper:#fbe4df;--quiet:#eceff1;"
    "--s0:#0a62a9;--s1:#c2500a;--s2:#0b7d5c;--s3:#93398a;--s4:#6f6200;--s5:#4c49b8;--s6:#a3264a;--s7:#4d5b66}\n"
    "@media(prefers-color-scheme:dark){:root{--paper:#14181c;--card:#1c2228;--ink:#e8ebee;--soft:#a3adb6;"
    "--line:#38424b;--good:#6fd39a;--good-paper:#17382a;--bad:#ff9d88;--bad-paper:#45221c;--quiet:#2a323a;"
    "--s0:#62b2f5;--s1:#ff9a55;--s2:#4fd3ab;--s3:#e39bdc;--s4:#d6c65a;--s5:#a5a3ff;--s6:#ff8ba8;--s7:#b4c0ca}}\n",
    "*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.45 system-ui,"
    "-apple-system,\"Segoe UI\",Roboto,sans-serif;overflow-wrap:anywhere}"
    "header,main,footer{max-width:1080px;margin:0 auto;padding:0 16px}header{padding-top:20px}"
    "h1{font-size:1.6rem;line-height:1.2;margin:0 0 4px}h2{font-size:1.2rem;margin:36px 0 12px}"
    "h3{font-size:1.05rem;margin:0}p{margin:4px 0}.soft{color:var(--soft);font-size:.875rem}"
    "a{color:inherit;text-decoration-color:var(--line);text-underline-offset:3px}"
    "code,pre{font:.85em/1.5 ui-monospace,Consolas,Menlo,monospace}section.job{scroll-margin-top:8px}\n",
    /* cards and chips */
    ".cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,260px),1fr));gap:12px;margin-top:16px}"
    ".card,section.job,.results,.facts,.remarks li{background:var(--card);border:1px solid var(--line);"
    "border-radius:8px}.card{padding:14px 16px}.card h2{font-size:1.05rem;margin:0}.big b{font-size:2.1rem;"
    "line-height:1.2;margin-right:4px}.small b{font-size:1.15rem;margin-right:4px}.up b{color:var(--good)}"
    ".down b{color:var(--bad)}.chip{display:inline-block;min-width:1.5em;padding:0 .3em;border-radius:4px;"
    "color:var(--card);text-align:center;font-size:.85em;line-height:1.5;margin-right:2px}\n",
    ".b0{background:var(--s0)}.b1{background:var(--s1)}.b2{background:var(--s2)}.b3{background:var(--s3)}"
    ".b4{background:var(--s4)}.b5{background:var(--s5)}.b6{background:var(--s6)}.b7{background:var(--s7)}\n",
    /* tables */
    ".scroll{overflow-x:auto;position:relative}table{border-collapse:collapse}th{font-weight:600;text-align:left}"
    "td,th{padding:8px 12px;vertical-align:top}tr+tr>*,tbody tr:first-child>*{border-top:1px solid var(--line)}"
    ".results,.facts{width:100%;border-collapse:separate;border-spacing:0}.results td>span,.results th>span{"
    "display:block}.results td{min-width:170px}.results tbody th{min-width:150px}.results .soft{font-weight:400}"
    ".results .first b{font-size:1.05rem}.second{font-size:.9rem}.results .who{display:none}"
    ".bar{height:5px;background:var(--quiet);border-radius:3px;margin:3px 0}.bar i{display:block;height:5px;"
    "border-radius:3px}.figures{font-size:.85rem}.figures td{text-align:right;white-space:nowrap}"
    ".figures td,.figures th{padding:4px 8px;white-space:nowrap}.facts{font-size:.9rem}.facts td{min-width:150px}"
    ".differs>*{background:var(--quiet)}\n",
    ".ratio{display:inline-block;padding:0 .4em;border-radius:4px;font-weight:600;font-size:.9rem;"
    "border:1px solid transparent;white-space:nowrap}.better{background:var(--good-paper);color:var(--good)}"
    ".worse{background:var(--bad-paper);color:var(--bad)}.same{background:var(--quiet);color:var(--soft)}"
    ".unsure{border:1px dashed currentColor;color:var(--soft)}.unsure.up{color:var(--good)}"
    ".unsure.down{color:var(--bad)}.key{margin-top:8px;line-height:1.9}.key .ratio{white-space:normal}\n",
    /* findings, jobs, pictures */
    ".remarks{list-style:none;margin:0;padding:0;display:grid;gap:8px}.remarks li{padding:8px 14px;"
    "border-left:4px solid var(--line)}.remarks li.serious{border-left-color:var(--bad)}"
    ".remarks code{font-weight:700}.remarks .serious code{color:var(--bad)}"
    "nav ul{list-style:none;margin:0 0 12px;padding:0;display:flex;flex-wrap:wrap;gap:4px 14px;font-size:.9rem}"
    "section.job{padding:14px 16px;margin-bottom:12px}.legend{display:flex;flex-wrap:wrap;gap:2px 14px;"
    "font-size:.9rem}.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:12px;"
    "align-items:start}figure{margin:8px 0;min-width:0}svg{display:block;width:100%;max-width:540px;height:auto}\n",
    "svg text{font:12px system-ui,-apple-system,\"Segoe UI\",Roboto,sans-serif;fill:var(--soft)}"
    "svg .y{text-anchor:end}svg .x{text-anchor:middle}svg .t{fill:var(--ink);font-weight:600}"
    "svg .m{font-weight:700}.grid{stroke:var(--line);stroke-width:1;fill:none}.line{fill:none;stroke-width:2.2;"
    "stroke-linejoin:round}.thin{stroke-width:1.6}\n",
    ".s0{stroke:var(--s0)}.s1{stroke:var(--s1)}.s2{stroke:var(--s2)}.s3{stroke:var(--s3)}.s4{stroke:var(--s4)}"
    ".s5{stroke:var(--s5)}.s6{stroke:var(--s6)}.s7{stroke:var(--s7)}"
    "svg .f0{fill:var(--s0)}svg .f1{fill:var(--s1)}svg .f2{fill:var(--s2)}svg .f3{fill:var(--s3)}"
    "svg .f4{fill:var(--s4)}svg .f5{fill:var(--s5)}svg .f6{fill:var(--s6)}svg .f7{fill:var(--s7)}\n",
    ".waterfall svg{width:900px;max-width:none}.waterfall text{fill:var(--ink)}.waterfall .paper{fill:none}"
    ".waterfall .total{fill:var(--soft)}.waterfall .better{fill:var(--good)}.waterfall .worse{fill:var(--bad)}"
    ".waterfall .noise{fill:var(--line)}\n"
    "summary{cursor:pointer;font-size:.9rem;padding:4px 0;color:var(--soft)}pre{white-space:pre-wrap;margin:4px 0 10px;"
    "padding:8px 10px;background:var(--quiet);border-radius:6px}footer{padding-top:24px;padding-bottom:40px}\n",
    /* a phone: each row of the results is a block, a set a line in it */
    "@media(max-width:640px){.results,.results tbody,.results tr,.results td,.results th{display:block}"
    ".results thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}"
    ".results td{border-top:0;padding:2px 12px 8px 44px;position:relative;min-width:0}.results tbody "
    "th{padding-bottom:2px;"
    "min-width:0}.results .who{display:block;position:absolute;left:12px;top:2px}"
    ".facts td,.facts th{padding:6px 8px}}\n",
    "@media print{:root{color-scheme:light;--paper:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--good:#13713f;"
    "--good-paper:#fff;--bad:#a8321d;--bad-paper:#fff;--quiet:#f2f2f2;--s0:#0a62a9;--s1:#c2500a;--s2:#0b7d5c;"
    "--s3:#93398a;--s4:#6f6200;--s5:#4c49b8;--s6:#a3264a;--s7:#4d5b66}body{font-size:11pt}"
    "*{print-color-adjust:exact;-webkit-print-color-adjust:exact}nav{display:none}"
    ".card,svg,.remarks li,.results tr{break-inside:avoid}h2,h3{break-after:avoid}"
    "details::details-content{content-visibility:visible;display:block;height:auto}.scroll{overflow:visible}"
    ".pair{grid-template-columns:minmax(0,1fr) "
    "minmax(0,1fr)}section.job+section.job{break-before:page}.job>*{break-after:avoid}"
    ".results td,.results tbody th,.facts td{min-width:0}td,th{padding:6px 8px}.figures{font-size:6pt}"
    ".figures td,.figures th{padding:2px;white-space:normal;overflow-wrap:normal}.waterfall svg{width:100%}}\n",
    NULL,
};
