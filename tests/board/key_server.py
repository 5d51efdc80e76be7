"""A chat server on the loopback that wants a key, and answers a question with the last number in it."""

import json
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread


@dataclass
class KeyServer:
    """`url` is its base, `/v1` included; `sent` are the keys that came, "" for none.

    Where `environment` is not empty, the key was in the process's environment while a request was served.
    """

    url: str
    sent: list[str] = field(default_factory=list)
    environment: list[str] = field(default_factory=list)


@contextmanager
def key_server(
    key: str, *, refusal: str = "", repeats: bool = False, pause_s: float = 0.0
) -> Iterator[KeyServer]:
    """Run the server. With a `refusal` it takes no key, and says so in these words. If it `repeats`, each
    answer has the key behind it. An answer takes `pause_s`.
    """
    seen = KeyServer("")

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._reply(200, {"object": "list", "data": [{"id": "rule", "object": "model"}]})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            sent = self.headers.get("Authorization", "").removeprefix("Bearer ")
            seen.sent.append(sent)
            seen.environment += [name for name, value in os.environ.items() if key in value]
            if sent != key or refusal:
                self._reply(401, {"error": {"message": refusal or "a key is wanted"}})
                return
            time.sleep(pause_s)
            numbers = re.findall(r"\d+", body["messages"][-1]["content"])
            text = numbers[-1] if numbers else "none"
            behind = f" {key}" if repeats and numbers else ""
            message = {"role": "assistant", "content": text + behind}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            self._reply(200, {"id": "1", "model": body["model"], "choices": [choice]})

        def _reply(self, status: int, value: object) -> None:
            data = json.dumps(value).encode()
            with suppress(ConnectionError):  # who asked may have been killed
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    seen.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
