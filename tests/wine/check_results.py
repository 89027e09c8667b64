"""Checks results of tests/wine/fileio.sh, whose names are mode.engine.depth.cache.syncs.json.

Usage: check_results.py EVENTS BLOCK_BYTES FILE...
"""

import json
import os
import sys

READS = {"seqrd", "rndrd", "rndrw"}
WRITES = {"seqwr", "seqrewr", "rndwr", "rndrw"}


def differences(path, events, block_bytes):
    """Yields what is not as it must be."""
    mode, engine, depth, cache, syncs = os.path.basename(path).split(".")[:5]
    with open(path, "rb") as file:
        raw = file.read()
    if b"\r" in raw:
        yield "has carriage returns"
    result = json.loads(raw)
    classes = result["classes"]
    expected = [
        ("status", result["status"], "complete"),
        ("job.mode", result["job"]["mode"], mode),
        ("job.engine", result["job"]["engine"], engine),
        ("job.depth", result["job"]["depth"], int(depth)),
        ("job.cache", result["job"]["cache"], cache),
        ("events.count", result["events"]["count"], events),
        ("total.count", result["total"]["count"], events),
        ("total.bytes", result["total"]["bytes"], events * block_bytes),
        ("total.errors", result["total"]["errors"], 0),
        ("faults", result["faults"], []),
        ("reads done", classes["read"]["count"] > 0, mode in READS),
        ("writes done", classes["write"]["count"] > 0, mode in WRITES),
        ("syncs done", classes["sync"]["count"] > 0, syncs == "syncs"),
        ("sync errors", classes["sync"]["errors"], 0),
        ("clock.name", result["clock"]["name"], "QueryPerformanceCounter"),
    ]
    for what, found, wanted in expected:
        if found != wanted:
            yield f"{what} is {found!r} and not {wanted!r}"
    for name in ("read", "write"):
        one = classes[name]
        if one["bytes"] != one["count"] * block_bytes:
            yield f"{name}: {one['count']} IOs moved {one['bytes']} bytes"


def main(arguments):
    events, block_bytes, files = int(arguments[0]), int(arguments[1]), arguments[2:]
    bad = [f"{path}: {text}" for path in files for text in differences(path, events, block_bytes)]
    print("\n".join(bad + [f"{len(files)} results, {len(bad)} differences"]))
    return 1 if bad or not files else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
