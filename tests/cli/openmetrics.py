#!/usr/bin/env python3
"""--openmetrics, read as Prometheus reads it: on a port with curl and by sockets that say anything, and in a file.
usage: openmetrics.py PROGRAM [RUNNER]. The parser is prometheus_client's own; without it there is nothing to test."""
import concurrent.futures, json, os, shutil, socket, subprocess, sys, tempfile, time

sys.path.append("/usr/lib/python3/dist-packages")  # of Debian's packages, for a Python that is not Debian's
try:
    from prometheus_client.openmetrics.parser import text_string_to_metric_families
except ImportError:
    print("SKIP: python3-prometheus-client is not installed")
    sys.exit(77)
if not shutil.which("curl"):
    print("SKIP: curl is not installed")
    sys.exit(77)

COMMAND = sys.argv[2:] + [os.path.realpath(sys.argv[1])]
FILES = ["--total-size=1M"]


def start(*words):
    return subprocess.Popen(COMMAND + list(words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def run(*words):
    done = subprocess.run(COMMAND + list(words), capture_output=True, text=True, stdin=subprocess.DEVNULL)
    # Wine itself says on stderr what it lacks
    done.errors = [line for line in done.stderr.splitlines() if not line.startswith("wine: ")]
    return done


def must(done):
    assert done.returncode == 0, (done.args, done.stdout, done.stderr)


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Page:
    """All samples by name and labels; a text that is not OpenMetrics raises ValueError."""

    def __init__(self, text):
        assert text.endswith("# EOF\n"), text[-80:]
        self.families = {family.name: family for family in text_string_to_metric_families(text)}
        self.samples = {}
        for family in self.families.values():
            for sample in family.samples:
                key = (sample.name, tuple(sorted(sample.labels.items())))
                assert key not in self.samples, key
                self.samples[key] = sample.value

    def get(self, name, /, **labels):
        return self.samples.get(("isobench_" + name, tuple(sorted(labels.items()))))

    def phase(self, job="1"):
        phases = ("starting", "warmup", "measuring", "done")
        on = [p for p in phases if self.get("phase", job=job, isobench_phase=p) == 1]
        assert len(on) == 1, on
        return on[0]


def curl(port, path="/metrics", *options):
    done = subprocess.run(
        ["curl", "-sS", "--max-time", "20", "-D", "-", *options, f"http://127.0.0.1:{port}{path}"],
        capture_output=True, text=True)
    head, _, body = done.stdout.replace("\r\n", "\n").partition("\n\n")
    return head.split("\n"), body


def wait_for(look, child, what):
    """The first true answer of look(), while the run goes."""
    for _ in range(600):
        answer = look()
        if answer:
            return answer
        assert child.poll() is None, f"the run ended before {what}: {child.communicate()}"
        time.sleep(0.05)
    raise AssertionError(f"never came: {what}")


def scrape(port):
    head, body = curl(port)
    if not head[0].startswith("HTTP/1.1 200"):
        return None
    assert "Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8" in head, head
    return Page(body)


def measuring(read, child):
    def look():
        page = read()
        return page if page and page.phase() == "measuring" and page.get("operations_total", job="1", **{
            "class": "read"}) else None
    return wait_for(look, child, "figures of the measured part")


def check_page(page):
    types = {"build": "info", "job": "info", "phase": "stateset", "measured_seconds": "gauge", "threads": "gauge",
             "operations": "counter", "operation_errors": "counter", "operation_bytes": "counter",
             "operations_per_second": "gauge", "latency_seconds": "histogram", "latency_quantile_seconds": "gauge"}
    for name, kind in types.items():
        assert page.families["isobench_" + name].type == kind, name
    assert page.families["isobench_operation_bytes"].unit == "bytes"
    assert page.families["isobench_latency_seconds"].unit == "seconds"
    read = {"job": "1", "class": "read"}
    count = page.get("operations_total", **read)
    assert count > 0 and page.get("latency_seconds_count", **read) == count
    assert page.get("latency_seconds_bucket", le="+Inf", **read) == count
    assert page.get("operation_bytes_total", **read) == count * 16384
    assert page.get("operations_per_second", **read) > 0 and page.get("threads", job="1") == 2
    low = page.get("latency_quantile_seconds", quantile="0.5", **read)
    assert 0 < low <= page.get("latency_quantile_seconds", quantile="0.9999", **read)
    assert page.get("latency_seconds_sum", **read) < page.get("measured_seconds", job="1") * 2 * 1.5
    assert "isobench_host_cpu_ratio" in page.families and page.get("host_memory_available_bytes") > 0


def say(port, request):
    """What a server answers to these bytes, until it closes."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
        try:
            client.sendall(request)
        except OSError:
            pass
        answer = b""
        while True:
            try:
                part = client.recv(65536)
            except ConnectionResetError:
                break
            if not part:
                break
            answer += part
    return answer.decode()


def check_refusals(port):
    assert curl(port, "/")[0][0] == "HTTP/1.1 404 Not Found"
    assert curl(port, "/metricsx")[0][0] == "HTTP/1.1 404 Not Found"
    assert curl(port, "/metrics?name=x")[0][0] == "HTTP/1.1 200 OK"
    head, _ = curl(port, "/metrics", "-d", "x=1")
    assert head[0] == "HTTP/1.1 405 Method Not Allowed" and "Allow: GET" in head, head
    for request in (b"hello\r\n\r\n", b"GET /metrics\r\n\r\n", b"GET metrics HTTP/1.1\r\n\r\n", b"\r\n\r\n",
                    b"GET /metrics SPDY/1.1\r\n\r\n", b"GET /me\0trics HTTP/1.1\r\n\r\n", b"a" * 100000,
                    b"GET /metrics HTTP/1.1\r\nX: " + b"y" * 9000 + b"\r\n\r\n"):
        answer = say(port, request)
        assert answer.startswith("HTTP/1.1 400 Bad Request\r\n"), (request[:40], answer[:200])


def check_crowd(port):
    """Clients that say nothing, or half, keep no other waiting."""
    idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(8)]
    for client in idle[:4]:
        client.sendall(b"GET /met")
    with concurrent.futures.ThreadPoolExecutor(12) as pool:
        pages = list(pool.map(lambda _: scrape(port), range(24)))
    assert all(pages), "a client got no page"
    for client in idle:
        client.close()


def test_port():
    port = free_port()
    child = start("fileio", "run", *FILES, "--mode=rndrw", "--threads=2", "--time=0", "--events=1000000000",
                  "--warmup=0.3", "--report-interval=0.2", "--sample=0.2", f"--openmetrics={port}", "--json=port.json")
    try:
        first = measuring(lambda: scrape(port), child)
        wait_for(lambda: (scrape(port) or first).get("operations_per_second", job="1", **{"class": "read"}), child, "rate")
        second = wait_for(lambda: scrape(port) if "isobench_host_cpu_ratio" in scrape(port).families else None, child,
                          "a sample")
        check_page(second)
        for (name, labels), value in first.samples.items():
            if name.endswith(("_total", "_bucket", "_count")):
                assert second.samples[name, labels] >= value, (name, labels)
        check_refusals(port)
        check_crowd(port)
        taken = run("fileio", "run", *FILES, "--mode=rndrd", "--time=1", f"--openmetrics=127.0.0.1:{port}")
        assert taken.returncode == 1 and taken.stdout == "", taken.stdout
        assert len(taken.errors) == 1 and f"127.0.0.1, port {port}: address already in use" in taken.errors[0], taken.errors
        last = scrape(port).get("operations_total", job="1", **{"class": "read"})
    finally:
        if len(COMMAND) > 1:
            child.kill()
        else:
            child.send_signal(2)
    child.communicate()
    if len(COMMAND) == 1:
        assert child.returncode == 130, child.returncode
        assert json.load(open("port.json"))["classes"]["read"]["count"] >= last


def read_file():
    try:
        return Page(open("metrics.prom").read())
    except FileNotFoundError:
        return None


def test_file():
    child = start("fileio", "run", *FILES, "--mode=rndrw", "--threads=2", "--time=1.5", "--report-interval=0.1",
                  "--sample=0.2", "--openmetrics=metrics.prom", "--json=file.json")
    measuring(read_file, child)
    while child.poll() is None:
        read_file()  # is whole each time
    out, err = child.communicate()
    assert child.returncode == 0, err
    page, result = read_file(), json.load(open("file.json"))
    assert page.phase() == "done"
    for name in ("read", "write", "sync", "end_sync"):
        labels, of = {"job": "1", "class": name}, result["classes"][name]
        assert page.get("operations_total", **labels) == of["count"], name
        assert page.get("operation_bytes_total", **labels) == of["bytes"], name
        assert page.get("latency_seconds_bucket", le="+Inf", **labels) == of["count"], name
        for bound in (1e-05, 0.001, 1.0):  # within the histogram's own precision
            text = {1e-05: "1e-05", 0.001: "0.001", 1.0: "1.0"}[bound]
            within = page.get("latency_seconds_bucket", le=text, **labels)
            below = sum(n for low, n in of["histogram"] if low < bound * 1e9 * 0.99)
            above = sum(n for low, n in of["histogram"] if low <= bound * 1e9)
            assert below <= within <= above, (name, bound, below, within, above)
    assert not [name for name in os.listdir(".") if "tmp" in name], "something is left beside the file"


def test_lost_file():
    """Figures that nobody gets are no success."""
    os.mkdir("gone")
    child = start("fileio", "run", *FILES, "--mode=rndrd", "--time=1.5", "--openmetrics=gone/metrics.prom")
    wait_for(lambda: os.path.exists("gone/metrics.prom"), child, "the file")
    shutil.rmtree("gone")
    out, err = child.communicate()
    errors = [line for line in err.splitlines() if not line.startswith("wine: ")]
    assert child.returncode == 1 and "IOPS" in out, (child.returncode, out)
    assert len(errors) == 1 and "gone/metrics.prom" in errors[0], errors


def test_others():
    """A database, another tool's words, and two jobs at the same time."""
    must(run("oltp", "prepare", "--table-size=100"))
    must(run("oltp", "oltp_read_only", "run", "--table-size=100", "--time=0.5", "--openmetrics=metrics.prom"))
    page = read_file()
    assert page.get("operations_total", job="1", **{"class": "transaction"}) > 0 and page.phase() == "done"
    must(run("oltp", "cleanup", "--table-size=100"))
    must(run("fio", "--openmetrics=metrics.prom", "--size=1M", "--rw=randread", "--runtime=1", "--time_based",
             "--name=one \"a\"", "--filename=x", "--name=two", "--filename=y"))
    page = read_file()
    for job in ("1", "2"):
        assert page.get("operations_total", job=job, **{"class": "read"}) > 0, job
    names = {s.labels["name"] for s in page.families["isobench_job"].samples}
    assert names == {'one "a"', "two"}, names


PLAN = """[global]
total_size = 1M
mode = rndrd
time = 0.6
repeat = 2

[absent]
target = no-such-file
repeat = 1

[first]
threads = 1

[last]
threads = 2
"""


def test_plan():
    """One page over the whole plan; each run under its name and repetition."""
    with open("small.ini", "w") as file:
        file.write(PLAN)
    port, seen, done = free_port(), set(), []
    child = start("run", "small.ini", "--out=out/port", f"--openmetrics={port}")
    while child.poll() is None:
        try:
            page = scrape(port)
        except IndexError:  # it has ended
            continue
        if not page:
            continue
        done.append(page.get("plan_runs", state="done"))
        seen |= {(s.labels["job"], s.labels["name"], s.labels["repetition"]) for s in page.families["isobench_threads"].samples}
    out, err = child.communicate()
    assert child.returncode == 1 and "no-such-file" in err, (child.returncode, out, err)
    assert {("2", "first", "1"), ("2", "first", "2"), ("3", "last", "1"), ("3", "last", "2")} <= seen, seen
    assert done == sorted(done) and done[-1] >= 3, done
    failed = run("run", "small.ini", "--out=out/file", "--openmetrics=plan.prom")
    assert failed.returncode == 1, failed
    page, labels = Page(open("plan.prom").read()), {"job": "3", "name": "last", "repetition": "2"}
    states = [page.get("plan_runs", state=state) for state in ("open", "done", "failed")]
    assert states == [0, 4, 1], states
    assert page.get("plan_info", plan="small.ini") == 1 and page.get("plan_left_seconds") == 0
    result = json.load(open("out/file/last.r2.json"))
    labels["class"] = "read"
    assert page.get("operations_total", **labels) == result["classes"]["read"]["count"] > 0
    for value, status in (("1.2.3:9100", 2), ("no/such/directory/x.prom", 1)):
        refused = run("run", "small.ini", "--out=out/refused", f"--openmetrics={value}")
        assert refused.returncode == status and len(refused.errors) == 1 and not refused.stdout, (value, refused)


def test_refusals():
    good = ["fileio", "run", *FILES, "--mode=rndrd", "--time=0.1"]
    for value in ("", "-", "0", "65536", "123456789", "myhost:9100", "1.2.3:9100", ":9100", "127.0.0.1:0"):
        done = run(*good, f"--openmetrics={value}")
        assert done.returncode == 2 and done.stdout == "" and len(done.errors) == 1, (value, done.stdout, done.errors)
        assert done.errors[0].startswith(f"isobench: --openmetrics={value}:"), done.errors
    done = run(*good, "--openmetrics=no/such/directory/x.prom")
    assert done.returncode == 1 and done.stdout == "" and len(done.errors) == 1, done.errors
    done = run("fileio", "prepare", *FILES, "--openmetrics=9100")
    assert done.returncode == 2 and "only a run has figures" in done.errors[0], done.errors


with tempfile.TemporaryDirectory() as scratch:
    os.chdir(scratch)
    must(run("fileio", "prepare", *FILES))
    for test in (test_refusals, test_file, test_lost_file, test_others, test_plan, test_port):
        test()
        print(test.__name__, "passed", flush=True)
    os.chdir("/")
