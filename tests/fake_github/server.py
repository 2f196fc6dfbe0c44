"""The HTTP side: tokens, rate limits, faults, stubs, git http-backend, and the log that decides the verdict."""
import gzip
import http.server
import json
import os
import pathlib
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
from urllib.parse import urlsplit

from . import rest, schema
from .history import ENVIRONMENT, seconds
from .world import World, load


class Http(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        error = sys.exc_info()[1]
        if not isinstance(error, OSError):  # those are clients that left; everything else is a fault of ours
            self.fake.write({"unexpected": f"{type(error).__name__}: {error}"})


class Server:
    """Serves one world on a free loopback port until `close`, or as a context."""

    def __init__(self, world, home=".", log_path=None):
        self.scratch = tempfile.TemporaryDirectory(prefix="fake_github.")
        self.world = load(world, self.scratch.name) if isinstance(world, (str, pathlib.Path)) else \
            World(world, self.scratch.name, home)
        self.lock = threading.Lock()
        self.log, self.log_path = [], log_path
        self.requests = 0
        self.http = Http(("127.0.0.1", 0), Handler)
        if self.world.tls:
            self.http.socket = self.with_certificate(self.world.tls)
        self.http.fake = self
        self.port = self.http.server_address[1]
        self.base = f"{'https' if self.world.tls else 'http'}://127.0.0.1:{self.port}"
        self.thread = threading.Thread(target=self.http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self.thread.start()

    def with_certificate(self, path):
        """The listening socket behind TLS, with a certificate that nobody signed, written to `path`."""
        key = f"{self.scratch.name}/key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                        "-keyout", key, "-out", str(path), "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"],
                       check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(path, key)
        return context.wrap_socket(self.http.socket, server_side=True, do_handshake_on_connect=False)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.http.shutdown()
        self.http.server_close()
        for kind in ("faults", "stubs"):
            for entry in getattr(self.world, kind):
                if entry["must_be_used"] and not entry["used"]:
                    self.write({"unused": kind[:-1], "on": entry.get("on", entry.get("request"))})
        self.scratch.cleanup()

    def write(self, entry):
        with self.lock:
            self.log.append(entry)
            if self.log_path:
                with open(self.log_path, "a") as log:
                    log.write(json.dumps(entry, sort_keys=True) + "\n")

    def verdict(self):
        """What went wrong, one line each. Complete after `close`."""
        return [json.dumps(entry, sort_keys=True) for entry in self.log if "unexpected" in entry or "unused" in entry]

    def fault_for(self, index, line):
        with self.lock:
            for fault in self.world.faults:
                if fault.get("request") != index and not ("on" in fault and line.startswith(fault["on"])):
                    continue
                fault["seen"] += 1
                if fault["skip"] < fault["seen"] <= fault["skip"] + fault["times"]:
                    fault["used"] += 1
                    return fault
        return None

    def stub_for(self, line):
        with self.lock:
            for stub in self.world.stubs:
                if stub["on"] == line:
                    stub["used"] += 1
                    return stub
        return None

    def spend(self, bucket):
        """Rate limit headers, and whether the request is refused."""
        with self.lock:
            left = self.world.rate[bucket]
            self.world.rate[bucket] = left - 1 if left else 5000
        headers = {"x-ratelimit-resource": bucket, "x-ratelimit-limit": "5000",
                   "x-ratelimit-remaining": str(max(left - 1, 0)),
                   "x-ratelimit-reset": str(seconds(self.world.now) + 60)}
        return headers, left == 0


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.handle_one("GET")

    def do_POST(self):
        self.handle_one("POST")

    def do_CONNECT(self):
        """As a proxy that lets nobody through."""
        self.server.fake.write({"line": f"CONNECT {self.path}", "status": 403, "authorization": "Authorization" in self.headers})
        self.send_error(403)

    def handle_one(self, method):
        fake = self.server.fake
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        with fake.lock:
            index = fake.requests
            fake.requests += 1
        line = f"{method} {self.path}"
        self.entry = {"request": index, "line": line, "user_agent": self.headers.get("User-Agent", ""),
                      "authorization": "Authorization" in self.headers,
                      "api_version": self.headers.get("X-GitHub-Api-Version", "")}
        fault = fake.fault_for(index, line)
        if fault and fault.get("close"):
            fake.write({**self.entry, "status": 0})
            self.close_connection = True
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        if fault and "status" in fault:
            status, headers, content = fault["status"], fault.get("headers", {}), fault.get("body", "")
        else:
            status, headers, content = self.answer(method, line, body)
        self.send(status, headers, content, fault or {})

    def send(self, status, headers, content, fault):
        fake = self.server.fake
        fill = lambda text: text.replace("$BASE", fake.base)
        if not isinstance(content, bytes):
            content = (fill(content) if isinstance(content, str) else json.dumps(content)).encode()
            headers = {"Content-Type": "application/json; charset=utf-8", **headers}
        if "cut_body" in fault:
            content = content[:fault["cut_body"]]
        fake.write({**self.entry, "status": status})
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, fill(value))
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if "truncate" in fault:
            content = content[:fault["truncate"]]
            self.close_connection = True
        try:
            self.wfile.write(content[:fault.get("stall", len(content))])
            if "stall" in fault:
                self.connection.recv(1)  # until the client had enough
                self.close_connection = True
        except OSError:  # a client that had enough
            self.close_connection = True

    def unexpected(self, why):
        self.entry["unexpected"] = why
        return 500, {}, {"message": f"fake_github: {why}"}

    def answer(self, method, line, body):
        fake, world = self.server.fake, self.server.fake.world
        if stub := fake.stub_for(line):
            return stub["status"], stub["headers"], stub["body"]
        for name, repository in world.git.items():
            if self.path.startswith(f"/{name}.git/"):
                return self.git_backend(method, repository, body, len(f"/{name}.git"))
        token = self.headers.get("Authorization", "")
        if world.token and token and token not in (f"Bearer {world.token}", f"token {world.token}"):
            return 401, {}, {"message": "Bad credentials"}
        bucket = "graphql" if self.path == "/graphql" else "search" if self.path.startswith("/search/") else "core"
        headers, refused = fake.spend(bucket)
        if refused:
            return 403, headers, {"message": "API rate limit exceeded"}
        if line == "POST /graphql":
            return (200, headers, self.graphql(body)) if token else (401, headers, {"message": "This endpoint requires you to be authenticated."})
        if method != "GET":
            return self.unexpected("no route")
        try:
            found = rest.answer(world, self.path, fake.base)
        except rest.Refused as error:
            return self.unexpected(str(error))
        if found is None:
            return self.unexpected("no route")
        status, more, value = found
        return status, {**headers, **more}, value

    def graphql(self, body):
        try:
            request = json.loads(body)
            result = schema.execute(self.server.fake.world, request["query"], request.get("variables", {}))
        except (ValueError, KeyError) as error:
            result = {"errors": [{"message": f"not a GraphQL request: {error}"}]}
        if "data" not in result:
            self.entry["unexpected"] = result["errors"][0]["message"]
        else:
            self.entry["nodes"] = len(request.get("variables", {}).get("ids", []))
        return result

    def git_backend(self, method, repository, body, prefix):
        url = urlsplit(self.path)
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        environment = {**ENVIRONMENT, "GIT_PROJECT_ROOT": str(repository.parent), "GIT_HTTP_EXPORT_ALL": "1",
                       "PATH_INFO": "/" + repository.name + url.path[prefix:], "QUERY_STRING": url.query,
                       "REQUEST_METHOD": method, "CONTENT_TYPE": self.headers.get("Content-Type", ""),
                       "CONTENT_LENGTH": str(len(body)), "REMOTE_ADDR": "127.0.0.1", "GIT_CONFIG_COUNT": "1",
                       "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
                       "GIT_PROTOCOL": self.headers.get("Git-Protocol", "")}
        done = subprocess.run(["git", "http-backend"], input=body, capture_output=True, env=environment)
        head, separator, content = done.stdout.partition(b"\r\n\r\n")
        if not separator:
            return self.unexpected("git http-backend: " + done.stderr.decode(errors="replace").strip())
        headers = dict(row.split(": ", 1) for row in head.decode().split("\r\n"))
        status = int(headers.pop("Status", "200").split()[0])
        return status, headers, content


def run_until_parent_ends(world, port_file, log_path, life):
    server = Server(world, log_path=log_path)
    temporary = pathlib.Path(str(port_file) + ".new")
    temporary.write_text(f"{server.port}\n")
    temporary.rename(port_file)
    parent, ended = os.getppid(), threading.Event()
    try:
        for _ in range(int(life * 5)):  # looks for its parent five times a second
            if ended.wait(0.2) or os.getppid() != parent:
                break
    except KeyboardInterrupt:
        pass
    server.close()
    return 1 if server.verdict() else 0
