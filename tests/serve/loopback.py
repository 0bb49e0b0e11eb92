"""`weft serve` on this machine: answers, limits, hostile and slow clients, a bounded load, a graceful stop.

    loopback.py WEFT PIPELINE

Every client is bounded in number and time. Prints the latencies that it measured.
"""
import concurrent.futures
import gzip
import http.client
import json
import os
import pathlib
import random
import re
import resource
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import zlib

WEFT, PIPELINE = sys.argv[1:]
TEXTS = [f"Ada Lovelace met {name} in London." for name in ("Bob", "Zoë", "𝕃ee", "Grace Hopper")]


class Server:
    """A server with its own options, on a port that is free."""

    def __init__(self, *options, pipeline=PIPELINE):
        words = [WEFT, "serve", pipeline, "--port", "0", *options]
        self.process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
        line = self.process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
        assert found, line
        self.port = int(found.group(1))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.communicate(timeout=30)

    def connect(self, timeout=60):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)

    def ask(self, method, path, body=None, headers=None, timeout=60):
        connection = self.connect(timeout)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json", **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read(), dict(answer.getheaders())
        finally:
            connection.close()

    def annotate(self, value, **more):
        status, body, _ = self.ask("POST", "/annotate", json.dumps(value).encode(), **more)
        return status, json.loads(body)

    def raw(self, data, timeout=10):
        """The answer to these bytes, until the server closes or `timeout` has passed."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=timeout) as client:
            client.sendall(data)
            try:
                client.shutdown(socket.SHUT_WR)
            except OSError:
                pass
            answer = b""
            try:
                while piece := client.recv(65536):
                    answer += piece
            except OSError:
                pass
            return answer

    def resident(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return int(re.search(r"VmRSS:\s+(\d+)", text).group(1)) * 1024

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        _, told = self.process.communicate(timeout=30)
        return self.process.returncode, told


def expected():
    """The documents that `weft apply` prints for the same texts."""
    pathlib.Path("texts.txt").write_text("\n".join(TEXTS) + "\n", encoding="utf-8")
    done = subprocess.run([WEFT, "apply", PIPELINE, "texts.txt"], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_answers(server):
    docs = expected()
    assert server.annotate({"texts": TEXTS}) == (200, {"docs": docs})
    for text, doc in zip(TEXTS, docs):
        assert server.annotate({"text": text}) == (200, doc)
    assert server.annotate({"texts": []}) == (200, {"docs": []})
    assert server.annotate({"text": ""})[1]["tokens"] == []
    status, body, _ = server.ask("GET", "/health")
    assert status == 200 and json.loads(body)["status"] == "ok"
    packed = gzip.compress(json.dumps({"text": TEXTS[0]}).encode())
    status, body, _ = server.ask("POST", "/annotate", packed, {"Content-Encoding": "gzip"})
    assert (status, json.loads(body)) == (200, docs[0])
    capitals = {"Content-Encoding": "GZIP", "Content-Type": "APPLICATION/JSON; charset=utf-8"}
    assert server.ask("POST", "/annotate", packed, capitals)[0] == 200
    members = gzip.compress(b"") + gzip.compress(json.dumps({"text": TEXTS[0]}).encode())
    assert server.ask("POST", "/annotate", members, {"Content-Encoding": "gzip"})[0] == 200
    connection = server.connect()  # several requests on one connection
    for text, doc in zip(TEXTS, docs):
        connection.request("POST", "/annotate", json.dumps({"text": text}), {"Content-Type": "application/json"})
        assert json.loads(connection.getresponse().read()) == doc
    connection.close()


def test_mistakes_have_a_place(server):
    status, answer = server.ask("POST", "/annotate", b'{\n"text": nonsense}')[:2]
    error = json.loads(answer)["error"]
    assert status == 400 and error["kind"] == "data" and (error["line"], error["column"]) == (2, 10), error
    for value, part in (({"txt": "a"}, "did you mean text"), ({"text": 1}, "text is no string"),
                        ({"texts": ["a", None]}, "texts[1]"), ([], "no object"), ({}, "neither"),
                        ({"text": "a", "texts": []}, "both")):
        status, answer = server.annotate(value)
        assert status == 400 and part in answer["error"]["message"], (value, status, answer)
    for method, path, headers, wanted in (("GET", "/annotate", {}, 405), ("POST", "/model", {}, 404),
                                          ("GET", "/../etc/passwd", {}, 404), ("DELETE", "/health", {}, 405), ("POST", "/metrics", {}, 405),
                                          ("PUT", "/annotate", {}, 405), ("OPTIONS", "/annotate", {}, 405),
                                          ("POST", "/annotate", {"Content-Type": "text/plain"}, 415),
                                          ("POST", "/annotate", {"Content-Encoding": "zstd"}, 415)):
        status, answer, _ = server.ask(method, path, b"{}" if method == "POST" else None, headers)
        assert status == wanted and "error" in json.loads(answer), (method, path, status, answer)


def test_other_paths_whatever_the_body(server):
    """The library has a limit of its own for forms, far below --max-bytes."""
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    for method, path, wanted in (("POST", "/nowhere", 404), ("PUT", "/nowhere", 404), ("PATCH", "/a%0Ab", 404),
                                 ("POST", "/annotate", 415), ("POST", "/health", 405)):
        status, answer, _ = server.ask(method, path, b"a=" + b"b" * 9000, form)
        assert status == wanted and "error" in json.loads(answer), (method, path, status, answer)
    status, answer, _ = server.ask("GET", "/health", None, {"Range": "bytes=5-1"})
    assert status == 416 and "the header Range" in json.loads(answer)["error"]["message"], (status, answer)


def test_packed_bodies_are_whole(server):
    """The text may be all there: without its checksum nobody knows whether it is the one that was sent."""
    text = json.dumps({"text": TEXTS[0]}).encode()
    for coding, packed in (("gzip", gzip.compress(text)), ("deflate", zlib.compress(text))):
        assert server.ask("POST", "/annotate", packed, {"Content-Encoding": coding})[0] == 200
        for end in (1, 4, 8, len(packed) // 2, len(packed)):
            status, answer, _ = server.ask("POST", "/annotate", packed[:-end], {"Content-Encoding": coding})
            assert status == 400 and "error" in json.loads(answer), (coding, end, status, answer)
        status = server.ask("POST", "/annotate", packed[:-1] + b"\1", {"Content-Encoding": coding})[0]
        assert status == 400, (coding, status)
        status = server.ask("POST", "/annotate", packed + b"more", {"Content-Encoding": coding})[0]
        assert status == 400, (coding, status)


def bad_request(draws, number):
    """One of several kinds of requests that make no sense."""
    def post(body, headers=""):
        head = f"POST /annotate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n{headers}"
        return head.encode() + f"Content-Length: {len(body)}\r\n\r\n".encode() + body
    garbage = bytes(draws.randrange(256) for _ in range(draws.randrange(1, 2000)))
    kinds = [
        garbage,
        post(garbage),
        post(b"[" * 100_000),
        post(b'{"text": "' + garbage + b'"}'),
        post(b'{"text": "\\ud800"}'),
        b"GET / HTTP/9.9\r\n\r\n",
        b"POST /annotate HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n{}",
        b"POST /annotate HTTP/1.1\r\nContent-Length: -1\r\nContent-Type: application/json\r\n\r\n{}",
        b"POST /annotate HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n",
        b"GET /" + b"a" * 20_000 + b" HTTP/1.1\r\n\r\n",
        b"GET /health HTTP/1.1\r\n" + b"X: " + b"b" * 9000 + b"\r\n\r\n",
        b"GET /health HTTP/1.1\r\n" + b"X: y\r\n" * 30_000 + b"\r\n",
        post(gzip.compress(b'{"text": "' + b" " * 5_000_000 + b'"}'), "Content-Encoding: gzip\r\n"),
        post(garbage, "Content-Encoding: gzip\r\n"),
    ]
    return kinds[number % len(kinds)]


def test_bad_requests(server):
    draws = random.Random(26)
    for number in range(100):
        answer = server.raw(bad_request(draws, number))
        assert b" 200 OK" not in answer.split(b"\r\n")[0], (number, answer[:200])
        assert server.process.poll() is None, f"request {number} ended the server"
    assert server.annotate({"text": TEXTS[0]})[0] == 200


def test_hidden_requests(server):
    """A request whose end can be understood in two ways has no second one behind it."""
    hidden = b"GET /health HTTP/1.1\r\nHost: a\r\n\r\n"
    chunks = b"2\r\n{}\r\n0\r\n\r\n"

    def post(headers, body, content_type="application/json"):
        head = f"POST /annotate HTTP/1.1\r\nHost: a\r\nContent-Type: {content_type}\r\n{headers}\r\n"
        return head.encode() + body

    whole = f"Content-Length: {len(hidden)}\r\n"
    for name, data in {
        "another type of body": post(whole, hidden, "text/plain"),
        "an unknown coding": post(whole + "Content-Encoding: zstd\r\n", hidden),
        "a length of letters": post("Content-Length: abc\r\n", hidden),
        "a signed length": post("Content-Length: +2\r\n", b"{}" + hidden),
        "a length in hexadecimal": post("Content-Length: 0x22\r\n", hidden),
        "two lengths in one": post("Content-Length: 2, 40\r\n", b"{}" + hidden),
        "two lengths": post("Content-Length: 2\r\nContent-Length: 2\r\n", b"{}" + hidden),
        "a length and chunks": post("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", chunks + hidden),
        "a space before the colon": post("Transfer-Encoding : chunked\r\nContent-Length: 2\r\n", b"{}" + hidden),
        "a folded line": post("Transfer-Encoding:\r\n chunked\r\nContent-Length: 2\r\n", b"{}" + hidden),
        "a coding without a name": post("Transfer-Encoding: \r\nContent-Length: 2\r\n", b"{}" + hidden),
        "a return within a line": post("X: a\rTransfer-Encoding: chunked\r\nContent-Length: 2\r\n", b"{}" + hidden),
        "a line end alone": post("X: a\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n", b"{}" + hidden),
        "an escape in a name": post("Transfer%2dEncoding: chunked\r\nContent-Length: 2\r\n", b"{}" + hidden),
        "an escape in a length": post("Content-Length: %32\r\n", b"{}" + hidden),
        "no colon": post("Transfer-Encoding chunked\r\nContent-Length: 2\r\n", b"{}" + hidden),
        "a NUL": post("X: a\0b\r\nContent-Length: 2\r\n", b"{}" + hidden),
        "an empty length of GET": b"GET /health HTTP/1.1\r\nContent-Length:\r\n\r\n" + hidden,
        "a body of PUT": b"PUT /health HTTP/1.1\r\n" + whole.encode() + b"\r\n" + hidden,
        "two codings": post("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", chunks + hidden),
        "a coding that is none": post("Transfer-Encoding: xchunked\r\n", chunks + hidden),
        "no length": post("", b"{}" + hidden),
        "chunks that do not end": post("Transfer-Encoding: chunked\r\n", b"2\r\n{}XX0\r\n\r\n" + hidden),
        "lines behind chunks": post("Transfer-Encoding: chunked\r\n", chunks[:-2] + b"A: b\r\n" * 999 + hidden),
        "a range that is none": post(f"Range: bytes=5-3\r\n{whole}", hidden),
        "a body of GET": b"GET /health HTTP/1.1\r\n" + whole.encode() + b"\r\n" + hidden,
    }.items():
        answers = server.raw(data).count(b"HTTP/1.1 ")
        assert answers == 1, f"{name}: {answers} answers"
    clear = json.dumps({"text": TEXTS[0]}).encode()
    data = post(f"Content-Length: {len(clear)}\r\n", clear) + hidden
    assert server.raw(data).count(b"HTTP/1.1 200 ") == 2, "a clear request ends the connection"


def test_ranges(server):
    """Parts of an answer are not given out, of all not a part many times over."""
    body = json.dumps({"text": "Ada met Bob. " * 3000}).encode()
    plain = server.ask("POST", "/annotate", body)[1]
    status, answer, _ = server.ask("POST", "/annotate", body, {"Range": "bytes=" + ",".join(["0-"] * 300)})
    assert (status, answer) == (200, plain), f"{len(answer)} bytes, not {len(plain)}"


def test_threads_that_cannot_start():
    """Connections wait for the threads that there are."""
    with Server("--connections", "500", "--timeout", "5") as server:
        status = pathlib.Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
        most = int(re.search(r"VmSize:\s+(\d+)", status).group(1)) * 1024 + (128 << 20)
        resource.prlimit(server.process.pid, resource.RLIMIT_AS, (most, most))
        clients = []
        for _ in range(60):
            client = socket.create_connection(("127.0.0.1", server.port), timeout=20)
            client.sendall(b"POST ")
            clients.append(client)
        assert server.process.poll() is None, f"the server ended with {server.process.returncode}"
        for client in clients:
            client.close()
        assert server.ask("GET", "/health")[0] == 200


def test_limits():
    with Server("--max-bytes", "2000", "--threads", "1") as server:
        status, answer = server.annotate({"text": "a" * 3000})
        assert status == 413 and "max-bytes" in answer["error"]["message"], answer
        packed = gzip.compress(json.dumps({"text": "a" * 100_000}).encode())
        assert server.ask("POST", "/annotate", packed, {"Content-Encoding": "gzip"})[0] == 413
        body = json.dumps({"text": "a" * 3000}).encode()
        chunked = b"POST /annotate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked"
        chunks = b"\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
        assert b" 413 " in server.raw(chunked + chunks).split(b"\r\n")[0]
    with Server("--max-bytes", "3000000") as server:
        status, answer = server.annotate({"text": "a " * 150_000})
        assert status == 413 and "tokens" in answer["error"]["message"], answer
        status, answer = server.annotate({"texts": [""] * 10_001})
        assert status == 413 and "10001 texts" in answer["error"]["message"], answer
    with Server("--threads", "1", "--waiting", "0") as server:
        long_text = {"text": "Ada Lovelace met Bob in London. " * 3000}
        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            answers = list(pool.map(lambda _: server.ask("POST", "/annotate", json.dumps(long_text)), range(6)))
        statuses = sorted(answer[0] for answer in answers)
        assert set(statuses) == {200, 503}, statuses
        assert all(answer[2]["Retry-After"] == "1" for answer in answers if answer[0] == 503)
    with Server("--threads", "1", "--timeout", "1") as server:
        body = json.dumps({"text": "Ada met Bob in London. " * 16_000})

        def ask(_):
            try:
                return server.ask("POST", "/annotate", body)
            except (OSError, http.client.HTTPException):  # cut off while its answer was sent
                return 0, b"", {}

        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            answers = list(pool.map(ask, range(32)))
        late = [answer for answer in answers if answer[0] == 503]
        assert late and {answer[0] for answer in answers} <= {0, 200, 503}, answers
        assert all(b"no thread was free in the time" in answer[1] for answer in late), late


def test_connections_end_as_announced(server):
    """A client that keeps connections has to know when one ends, or its next request fails."""
    request = json.dumps({"text": TEXTS[0]}).encode()

    def pieces():
        yield request

    answers = [("POST", "/annotate", request, {}, False),
               ("POST", "/annotate", pieces(), {}, True),
               ("POST", "/annotate", b"<a/>", {"Content-Type": "text/xml"}, True),
               ("POST", "/nowhere", request, {}, True),
               ("GET", "/health", None, {}, False),
               ("GET", "/health", b"", {"Content-Length": "0"}, False),
               ("GET", "/health", b"x", {}, True),
               ("GET", "/health", None, {"Connection": "close"}, True),
               ("HEAD", "/health", None, {}, False)]
    for method, path, body, headers, closes in answers:
        connection = server.connect()
        connection.request(method, path, body, {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        answer.read()
        told = {name.lower() for name, _ in answer.getheaders()}
        assert (answer.getheader("Connection") == "close") == closes, (method, path, headers)
        assert not told & {"keep-alive", "accept-ranges"}, told
        if not closes:
            connection.request("GET", "/health")
            assert connection.getresponse().status == 200, (method, path)
        connection.close()
    old = server.raw(b"GET /health HTTP/1.0\r\n\r\n")
    assert b"Connection: close" in old, old


def test_a_late_body_is_named():
    with Server("--timeout", "1") as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=10) as client:
            client.sendall(b"POST /annotate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                           b"Content-Length: 90\r\n\r\n{")
            assert client.recv(65536).startswith(b"HTTP/1.1 408 "), "a late body"


def test_slow_clients():
    """Clients that send a byte now and then neither stop others nor stay for ever."""
    with Server("--timeout", "3", "--connections", "40") as server:
        ends, begun = [], time.monotonic()

        def drip():
            with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
                try:
                    for byte in b"POST /annotate HTTP/1.1\r\nContent-Length: 1000\r\n\r\n" + b" " * 1000:
                        client.send(bytes([byte]))
                        time.sleep(0.2)
                except OSError:
                    pass
                ends.append(time.monotonic() - begun)

        slow = [threading.Thread(target=drip) for _ in range(20)]
        for client in slow:
            client.start()
        time.sleep(0.5)
        times = []
        for _ in range(20):
            start = time.monotonic()
            assert server.annotate({"text": TEXTS[0]})[0] == 200
            times.append(time.monotonic() - start)
        for client in slow:
            client.join()
        assert max(times) < 2.5, f"others waited {max(times):.2f} s"
        assert len(ends) == 20 and max(ends) < 9, f"a slow client stayed {max(ends):.1f} s"
        # More idle connections than there are threads: each makes room for those that wait.
        idle = [socket.create_connection(("127.0.0.1", server.port), timeout=20) for _ in range(45)]
        assert server.annotate({"text": TEXTS[0]})[0] == 200
        for client in idle:
            client.close()


def test_load(server):
    """Four clients for some seconds: percentiles, and memory that does not grow with new words."""
    seconds, clients = 4, 4
    latencies = []

    def ask(number):
        draws = random.Random(number)
        connection = server.connect()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            word = "".join(draws.choice("abcdefgh") for _ in range(10))
            body = json.dumps({"text": f"Ada Lovelace met {word} in London, and {word}s went to New York."})
            start = time.monotonic()
            connection.request("POST", "/annotate", body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 200
            latencies.append(time.monotonic() - start)
        connection.close()

    def round_of_clients():
        with concurrent.futures.ThreadPoolExecutor(clients) as pool:
            list(pool.map(ask, range(clients)))

    round_of_clients()
    before = server.resident()
    latencies.clear()
    round_of_clients()
    grown = server.resident() - before
    latencies.sort()
    at = [latencies[int(len(latencies) * share)] * 1e3 for share in (0.5, 0.9, 0.99)]
    print(f"{len(latencies) / seconds:.0f} requests/s of {clients} clients; median {at[0]:.2f} ms, "
          f"90 % {at[1]:.2f} ms, 99 % {at[2]:.2f} ms; memory {grown / 1e6:+.1f} MB")
    if "WEFT_SANITIZED" not in os.environ:
        assert grown < 16e6, f"{grown / 1e6:.1f} MB more after {len(latencies)} requests with new words"


def test_many_connect_at_once():
    """Connections that the server has not accepted yet wait, and are answered."""
    with Server("--threads", "1") as server:
        server.process.send_signal(signal.SIGSTOP)
        clients = [socket.create_connection(("127.0.0.1", server.port), timeout=10) for _ in range(200)]
        for client in clients:
            client.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        server.process.send_signal(signal.SIGCONT)
        for client in clients:
            assert client.recv(100).startswith(b"HTTP/1.1 200")
            client.close()


def test_metrics(server):
    status, body, headers = server.ask("GET", "/metrics")
    text = body.decode()
    assert status == 200 and headers["Content-Type"].startswith("text/plain; version=0.0.4")
    counted = dict(re.findall(r'weft_requests_total\{status="(\d+)"\} (\d+)', text))
    assert int(counted["200"]) > 100 and int(counted["400"]) > 10 and int(counted["413"]) >= 1
    for line in text.splitlines():
        assert re.fullmatch(r'# (HELP|TYPE) \w+ .+|\w+(\{[a-z]+="[^"]+"\})? [0-9.e+-]+', line), line
    assert "weft_annotating 0" in text
    buckets = [int(count) for count in re.findall(r"weft_request_seconds_bucket\{.*\} (\d+)", text)]
    assert buckets == sorted(buckets) and buckets[-1] == sum(map(int, counted.values()))


def test_unread_answers():
    """Answers that nobody reads do not fill the memory: 256 MiB of them are kept, others get 503."""
    body = json.dumps({"text": "a" * 20_000_000}).encode()
    head = f"POST /annotate HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    with Server("--max-bytes", "30000000", "--timeout", "60") as server:
        clients = []
        for _ in range(16):  # one that sends nothing for five seconds would be closed
            clients.append(socket.create_connection(("127.0.0.1", server.port), timeout=60))
            clients[-1].sendall(head.encode() + body)
        until, refused = time.monotonic() + 50, 0
        while refused == 0 and time.monotonic() < until:
            time.sleep(0.1)
            found = re.search(r'status="503"[^\n]* (\d+)', server.ask("GET", "/metrics")[1].decode())
            refused = int(found.group(1)) if found else 0
        assert refused > 0, "all answers were kept"
        assert server.annotate({"text": TEXTS[0]})[0] == 200, "a small answer is not for others to wait for"
        for client in clients:
            client.close()
        large, status, until = {"text": "a" * 2_000_000}, 503, time.monotonic() + 50
        while status == 503 and time.monotonic() < until:
            time.sleep(0.1)
            status = server.annotate(large)[0]
        assert status == 200, status


def test_long_answers():
    """A label of a megabyte for each of 300 words, in one text and in as many."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        blocks = '[nlp]\nlang = "en"\npipeline = ["entity_ruler"]\n[components]\n[components.entity_ruler]\n'
        (folder / "ruler.cfg").write_text(blocks + 'factory = "entity_ruler"\n', encoding="utf-8")
        subprocess.run([WEFT, "assemble", folder / "ruler.cfg", folder / "ruler"], capture_output=True, check=True)
        patterns = [{"label": "L" * 2**20, "pattern": "Bob"}]
        patterns += [{"label": "Q", "pattern": [{"OP": "+"}, {"ORTH": f"q{i}"}]} for i in range(10)]
        lines = "".join(json.dumps(pattern) + "\n" for pattern in patterns)
        (folder / "ruler/entity_ruler/patterns.jsonl").write_text(lines, encoding="utf-8")
        with Server("--timeout", "60", pipeline=str(folder / "ruler")) as server:
            status, answer = server.annotate({"text": "Bob " * 300}, timeout=60)
            assert status == 400 and "for a document of 300 tokens" in answer["error"]["message"], answer
            status, answer = server.annotate({"texts": ["Bob"] * 300}, timeout=60)
            assert status == 413 and "the answer has more than" in answer["error"]["message"], answer
            status, answer = server.annotate({"text": "Bob left."})
            assert status == 200 and len(answer["ents"][0]["label"]) == 2**20
        with Server("--timeout", "1", "--threads", "1", pipeline=str(folder / "ruler")) as server:
            # The patterns take more than a second for these; the answer is longer than what a socket keeps.
            texts = {"texts": ["word " * 700 + "Bob"] * 40}
            status, answer = server.annotate(texts, timeout=120)
            assert status == 200 and len(answer["docs"]) == 40, status


def test_many_spans():
    """Every stretch of a thousand words is a span: of one text, but not of ten."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        blocks = '[nlp]\nlang = "en"\npipeline = ["span_ruler"]\n[components]\n[components.span_ruler]\n'
        (folder / "ruler.cfg").write_text(blocks + 'factory = "span_ruler"\n', encoding="utf-8")
        subprocess.run([WEFT, "assemble", folder / "ruler.cfg", folder / "ruler"], capture_output=True, check=True)
        pattern = {"label": "L", "pattern": [{"OP": "+"}]}
        (folder / "ruler/span_ruler/patterns").write_text(json.dumps(pattern) + "\n", encoding="utf-8")
        with Server("--timeout", "60", pipeline=str(folder / "ruler")) as server:
            text = "word " * 1000
            status, answer = server.annotate({"text": text})
            assert status == 200 and len(answer["spans"]["ruler"]) == 500_500, status
            status, answer = server.annotate({"texts": [text] * 10})
            assert status == 413 and "more than 4194304 spans together" in answer["error"]["message"], answer


def test_stops():
    """A request that has begun is answered; then the program ends with 0."""
    for number in (signal.SIGTERM, signal.SIGINT):
        with Server("--threads", "1") as server:
            idle = socket.create_connection(("127.0.0.1", server.port), timeout=20)
            long_text = {"text": "Ada Lovelace met Bob in London. " * 3000}
            with concurrent.futures.ThreadPoolExecutor(1) as pool:
                answer = pool.submit(server.annotate, long_text)
                time.sleep(0.15)
                code, told = server.stop(number)
                assert answer.result()[0] == 200
            idle.close()
            assert code == 0 and number.name in told, (code, told)


def test_a_second_signal_ends_it():
    """A request that does not end holds the first signal up, not the second."""
    with Server("--threads", "1", "--timeout", "60") as server:
        with socket.create_connection(("127.0.0.1", server.port), timeout=20) as client:
            client.sendall(b"POST /annotate HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
                           b"Content-Length: 100\r\n\r\n{")
            time.sleep(0.3)
            server.process.send_signal(signal.SIGTERM)
            time.sleep(0.7)
            assert server.process.poll() is None, "the request that had begun was not waited for"
            server.process.send_signal(signal.SIGTERM)
            assert server.process.wait(timeout=10) == -signal.SIGTERM


def test_words():
    for words in (["--port", "70000"], ["--max-bytes", "0"], ["--threads", "x"], ["--host", "192.0.2.1"],
                  ["--host", ""]):
        done = subprocess.run([WEFT, "serve", PIPELINE, *words], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode in (1, 2) and done.stderr.startswith("weft: "), (words, done)


with Server() as shared:
    for test in (test_answers, test_mistakes_have_a_place, test_other_paths_whatever_the_body,
                 test_packed_bodies_are_whole, test_bad_requests, test_hidden_requests, test_ranges,
                 test_connections_end_as_announced, test_load, test_metrics):
        test(shared)
        print(f"{test.__name__}: passed")
for test in (test_limits, test_threads_that_cannot_start, test_a_late_body_is_named, test_slow_clients,
             test_many_connect_at_once, test_unread_answers, test_long_answers, test_many_spans, test_stops,
             test_a_second_signal_ends_it, test_words):
    test()
    print(f"{test.__name__}: passed")
