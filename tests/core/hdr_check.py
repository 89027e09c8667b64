#!/usr/bin/env python3
"""HdrHistogram's V2 encoding, written from its description and not from isobench's code, to hold isobench against.

usage: hdr_check.py ISOBENCH

1. What `isobench hdr export` writes of a result is decoded here and compared with the result, bucket by bucket.
2. What is encoded here, in layouts of 1 to 5 significant digits, is read by `isobench hdr import`.
Exit status 0 = all agree, 77 = cannot run here."""
import base64
import json
import random
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

HEADER = struct.Struct(">iiiiqqd")
V2, V2_COMPRESSED = 0x1C849313, 0x1C849314


def sub_buckets(digits):
    """Buckets of one unit at the lower end: a power of two that is at least 2 * 10^digits."""
    size = 1
    while size < 2 * 10**digits:
        size *= 2
    return size


def ranges(digits, lowest, highest):
    """(first value, number of values) of each bucket up to that of `highest`, in the order of the payload."""
    size = sub_buckets(digits)
    unit = 1 << (lowest.bit_length() - 1)
    found = [(i * unit, unit) for i in range(size)]
    while found[-1][0] + found[-1][1] <= highest:
        unit *= 2
        found += [((size // 2 + i) * unit, unit) for i in range(size // 2)]
    return found


def to_leb128(value):
    out = bytearray()
    while len(out) < 8 and value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value):
    return value * 2 if value >= 0 else -value * 2 - 1


def numbers(payload):
    at = 0
    while at < len(payload):
        value = 0
        for i in range(9):
            byte = payload[at]
            at += 1
            value |= (byte if i == 8 else byte & 127) << (7 * i)
            if byte < 128:
                break
        yield -(value + 1) // 2 if value & 1 else value // 2


def encode(counts, digits, lowest, highest, compressed=True):
    """`counts` by bucket number."""
    payload, empty = b"", 0
    for number in range(max(counts) + 1):
        if number not in counts:
            empty += 1
            continue
        if empty:
            payload += to_leb128(zigzag(-empty))
        payload += to_leb128(zigzag(counts[number]))
        empty = 0
    plain = HEADER.pack(V2, len(payload), 0, digits, lowest, highest, 1.0) + payload
    if compressed:
        zipped = zlib.compress(plain)
        plain = struct.pack(">ii", V2_COMPRESSED, len(zipped)) + zipped
    return base64.b64encode(plain).decode()


def decode(text):
    """{first value of a bucket: count}, and the digits."""
    data = base64.b64decode(text, validate=True)
    cookie, length = struct.unpack(">ii", data[:8])
    assert cookie == V2_COMPRESSED and length == len(data) - 8, "compressed header"
    plain = zlib.decompress(data[8:])
    cookie, length, offset, digits, lowest, highest, ratio = HEADER.unpack(plain[:40])
    assert (cookie, offset, ratio) == (V2, 0, 1.0) and length == len(plain) - 40, "header"
    layout, at, counts = ranges(digits, lowest, highest), 0, {}
    for number in numbers(plain[40:]):
        if number < 0:
            at -= number
        else:
            if number:
                counts[layout[at][0]] = number
            at += 1
    assert at <= len(layout), "payload within the layout"
    return counts, digits


class Failure(Exception):
    pass


def check(condition, what):
    if not condition:
        raise Failure(what)


def run(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True, encoding="utf-8", check=False)
    check(done.returncode == 0, f"{arguments}: {done.stderr}")
    return done.stdout


def check_export(program, folder):
    files = ["--dir", str(folder), "--total-size=1M", "--files=2"]
    path = str(folder / "result.json")
    run(program, "fileio", "prepare", *files)
    run(program, "fileio", "run", *files, "--mode=rndrw", "--events=3000", "--time=0", "--sync-every=100",
        f"--json={path}")
    run(program, "fileio", "cleanup", *files)
    with open(path, encoding="utf-8") as file:
        classes = json.load(file)["classes"]
    log = {}
    for line in run(program, "hdr", "export", path).splitlines():
        if line.startswith("Tag="):
            fields = line.split(",")
            log[fields[0][4:]] = fields
    compared = 0
    for name, figures in classes.items():
        if not figures["count"]:
            check(name not in log, f"{name} is empty and has a line")
            continue
        expected = {low: count for low, count in figures["histogram"]}
        text = run(program, "hdr", "export", path, f"--class={name}").strip()
        for source, found in (("v2", decode(text)), ("log", decode(log[name][4]))):
            check(found == (expected, 2), f"{name}: the {source} export has other counts than the result")
        check(abs(float(log[name][3]) - figures["latency_ns"]["max"] / 1e6) < 0.001, f"{name}: Interval_Max")
        compared += sum(expected.values())
    check(compared > 3000, "the run has operations")


def percentile(counts, layout, percent):
    """Middle of the bucket of the nearest rank."""
    total = sum(counts.values())
    rank, seen = max(1, -(-total * percent // 100)), 0
    for number in sorted(counts):
        seen += counts[number]
        if seen >= rank:
            return layout[number][0] + layout[number][1] // 2
    raise AssertionError


UNITS = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}


def shown(text):
    value, unit = text.split()
    return float(value) * UNITS[unit]


def check_import(program, folder, generator):
    path = folder / "import.txt"
    for digits in range(1, 6):
        for lowest, highest in ((1, 3600 * 10**9), (1000, 10**9), (1, 2 * 10**digits)):
            layout = ranges(digits, lowest, highest)
            counts = {generator.randrange(len(layout)): generator.choice((1, 2, 10**6, 2**33)) for _ in range(300)}
            compressed = generator.random() < 0.5
            path.write_text(encode(counts, digits, lowest, highest, compressed) + "\n", encoding="ascii")
            # Two decimals more than percents have would not show; whole ones keep the ranks exact.
            lines = run(program, "hdr", "import", str(path), "--percentiles=1,50,99").splitlines()
            rows = {line[:12].strip(): line[12:].strip() for line in lines}
            what = f"{digits} digits, {lowest} to {highest}"
            check(int(rows["count"]) == sum(counts.values()), f"{what}: count {rows['count']}")
            for percent in (1, 50, 99):
                expected = percentile(counts, layout, percent)
                check(abs(shown(rows[f"p{percent}"]) - expected) <= 0.011 * expected + 1,
                      f"{what}: p{percent} is {rows[f'p{percent}']}, not {expected} ns")
            low, high = layout[min(counts)], layout[max(counts)]
            check(abs(shown(rows["latency min"]) - low[0]) <= 0.006 * low[0], f"{what}: min {rows['latency min']}")
            top = high[0] + high[1] - 1
            check(abs(shown(rows["max"]) - top) <= 0.006 * top, f"{what}: max {rows['max']}, not {top}")


def main():
    if sys.version_info < (3, 7):
        print("needs python 3.7")
        return 77
    program = str(Path(sys.argv[1]).resolve())
    with tempfile.TemporaryDirectory() as folder:
        try:
            check_export(program, Path(folder))
            check_import(program, Path(folder), random.Random(7))
        except Failure as failure:
            print(f"FAILED: {failure}")
            return 1
    print("all agree")
    return 0


if __name__ == "__main__":
    sys.exit(main())
