"""Makes two folders of results with known figures out of one real result, for the tests of the report.

Usage: make_sets.py PATTERN.json: makes linux/ and windows/, whose rates are in the ratio of 2; every name that a result,
a manifest or a host can bring in is markup that must not get through.
"""

import copy
import json
import os
import sys

HOSTILE = "<script>alert(1)</script>"
IMAGE = "x\"'><img src=//evil.example/x onerror=alert(2)>"


UNKNOWN = dict.fromkeys(
    (
        "waiting_threads", "memory_available_bytes", "page_cache_bytes", "context_switches_per_s", "cpu_frequency_hz",
        "battery_share", "on_battery",
    )
)


def samples(busy):
    return {
        "interval_ns": 250000000,
        "cost_ns": 300000,
        "cpus": 2,
        "samples": [
            {
                **UNKNOWN,
                "end_ns": 250000000 * (i + 1),
                "elapsed_ns": 250000000,
                "cpu": {"user_share": busy, "system_share": 0.1, "iowait_share": 0.05, "idle_share": 0.85 - busy, "other_share": 0},
                "cpu_busy_share": [busy, busy],
                "runnable_threads": 3,
                "dirty_bytes": 1048576 * i,
                "network_received_bytes_per_s": 0,
                "network_sent_bytes_per_s": 0,
                "throttled_per_s": None,
                "devices": [{"name": IMAGE, "read_iops": 61, "write_iops": 0, "read_bytes_per_s": 1e6, "write_bytes_per_s": 0, "queue_depth": 1 + i, "utilization_share": 0.5}],
            }
            for i in range(8)
        ],
    }


def result(pattern, rate, depth, factor, busy):
    made = copy.deepcopy(pattern)
    latency_ns = 65536 * depth // factor
    made["job"].update(depth=depth, engine="uv", time=2, seed=rate)
    made["load_ns"] = made["elapsed_ns"] = 2000000000
    read = made["classes"]["read"]
    read.update(count=2 * rate, bytes=2 * rate * 16384, histogram=[[latency_ns, 2 * rate - 10], [latency_ns * 16, 10]])
    read["latency_ns"].update(min=latency_ns, max=latency_ns * 16, sum=latency_ns * 2 * rate)
    made["events"]["count"] = 2 * rate
    made["threads"] = [copy.deepcopy(pattern["threads"][0])]
    made["threads"][0]["events"] = 2 * rate
    row = pattern["series"][0]
    made["series"] = []
    for i in range(8):
        one = copy.deepcopy(row)
        one.update(start_ns=250000000 * i, end_ns=250000000 * (i + 1), latency_events=rate // 4, latency_sum_ns=latency_ns * (rate // 4), latency_percentile_ns=latency_ns, latency_max_ns=latency_ns * (16 if i == 3 else 2))
        one["latency_cells"] = {"from_ns": latency_ns, "counts": [rate // 4 - 2, 0, 2]}
        if depth == 1 and factor == 1:
            del one["latency_cells"]  # as older versions wrote it
        one["read"].update(count=rate // 4, bytes=rate // 4 * 16384)
        made["series"].append(one)
    made["warnings"] = [{"code": "client-cpu", "text": "waited " + IMAGE}]
    made["host"].update(os="Windows 11" if busy > 0.4 else "Debian", cpu_model=HOSTILE)
    made["target"].update(device=IMAGE, file_system="NTFS" if busy > 0.4 else "ext4", mount_options=HOSTILE)
    made["host_series"] = samples(busy)
    return made


def main(path):
    pattern = json.load(open(path, encoding="utf-8"))
    depths = {1: 1000, 4: 3000, 16: 8000}
    for folder, factor, busy in (("linux", 1, 0.2), ("windows", 2, 0.5)):
        os.makedirs(folder)
        runs = []
        for depth, rate in depths.items():
            for repetition in (1, 2, 3):
                made = result(pattern, factor * rate + repetition - 2, depth, factor, busy)
                name = f"read{depth}.r{repetition}.json"
                json.dump(made, open(f"{folder}/{name}", "w", encoding="utf-8"))
                runs.append({"job": f"read {IMAGE}.depth={depth}", "repetition": repetition, "file": name, "state": "done"})
        manifest = {
            "schema": 1, "isobench": "0.1.0", "plan": HOSTILE, "plan_hash": "0" * 16, "plan_text": "",
            "host": {"name": HOSTILE + folder, "os": "", "kernel": "", "cpu_model": "", "cpu_count": 2, "memory_bytes": 0,
                     "virtualization": "", "cloud": "", "instance_type": ""},
            "tags": {"volume": IMAGE}, "runs": runs,
        }
        json.dump(manifest, open(f"{folder}/manifest.json", "w", encoding="utf-8"))
    ratio = {"value": 1.5, "low": 1.2, "high": 1.9, "within_noise": False}
    effects = {
        "schema": 1, "method": "path", "rounds": 2, "effects": [dict(ratio, step="target: " + IMAGE)], "product": ratio,
        "direct": ratio, "remainder": dict(ratio, value=1.0, low=0.8, high=1.2, within_noise=True),
        "runs": [{"steps": [], "direct": False, "rate_per_s": [100, 110]}, {"steps": [0], "direct": False, "rate_per_s": [150, 160]},
                 {"steps": [], "direct": True, "rate_per_s": [100, 110]}, {"steps": [0], "direct": True, "rate_per_s": [150, 160]}],
    }
    json.dump(effects, open("windows/effects.json", "w", encoding="utf-8"))


if __name__ == "__main__":
    main(sys.argv[1])
