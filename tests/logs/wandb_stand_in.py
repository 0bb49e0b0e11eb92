"""A server that takes what `wandb sync` sends, and keeps it."""
import gzip
import http.server
import json
import os
import subprocess
import threading


class StandIn:
    def __init__(self):
        self.rows, self.summary, self.config = [], {}, {}
        self.exit_code = None
        received = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_GET(self):
                self.answer({})

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                if self.headers.get("Content-Encoding") == "gzip":
                    body = gzip.decompress(body)
                if self.path.endswith("/graphql"):
                    self.answer({"data": received.queried(json.loads(body))})
                else:
                    if self.path.endswith("/file_stream"):
                        received.streamed(json.loads(body))
                    self.answer({"limits": {}})

            do_PUT = do_POST

            def answer(self, content):
                text = json.dumps(content).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def queried(self, request):
        values = request.get("variables") or {}
        if "createRunFiles" in request["query"]:
            url = f"http://127.0.0.1:{self.server.server_port}/upload/"
            files = [{"name": name, "uploadUrl": url + name} for name in values["files"]]
            return {"createRunFiles": {"runID": "b", "uploadHeaders": [], "files": files}}
        if "upsertBucket" not in request["query"]:
            return {"viewer": {"id": "u", "entity": "us", "username": "us", "flags": "{}"}}
        if values.get("config"):
            self.config = json.loads(values["config"])
        project = {"id": "p", "name": values.get("project"), "entity": {"id": "e", "name": "us"}}
        bucket = {"id": "b", "name": values.get("name"), "displayName": values.get("displayName"),
                  "config": "{}", "project": project, "historyLineCount": 0}
        return {"upsertBucket": {"bucket": bucket, "inserted": True}}

    def streamed(self, message):
        files = message.get("files") or {}
        for line in files.get("wandb-history.jsonl", {}).get("content", []):
            self.rows.append(json.loads(line))
        for line in files.get("wandb-summary.json", {}).get("content", []):
            self.summary = json.loads(line)
        if message.get("complete"):
            self.exit_code = message.get("exitcode")

    def sync(self, program, run, home):
        """Runs `wandb sync` on a folder; gives what it printed."""
        environment = dict(os.environ, HOME=str(home), WANDB_API_KEY="a" * 40,
                           WANDB_BASE_URL=f"http://127.0.0.1:{self.server.server_port}")
        done = subprocess.run([program, "sync", run], capture_output=True, text=True, cwd=home,
                              env=environment, timeout=120)
        self.server.shutdown()
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr
