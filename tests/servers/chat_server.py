"""An OpenAI-compatible chat server on the loopback whose model is a rule: messages in, a text out."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

Messages = list[dict[str, str]]


@dataclass
class ChatServer:
    """`url` is its base, `/v1` included; `asked` keeps the messages of each request."""

    url: str
    asked: list[Messages] = field(default_factory=list)


@contextmanager
def chat_server(rule: Callable[[Messages], str]) -> Iterator[ChatServer]:
    """Run the server; it ends with the block."""
    asked: list[Messages] = []

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            self._reply({"object": "list", "data": [{"id": "rule", "object": "model"}]})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked.append(body["messages"])
            message = {"role": "assistant", "content": rule(body["messages"])}
            choice = {"index": 0, "message": message, "finish_reason": "stop"}
            if body.get("stream"):
                self._stream(body["model"], message["content"])
            else:
                self._reply({"id": "1", "model": body["model"], "choices": [choice], "usage": _USAGE})

        def _stream(self, model: str, text: str) -> None:
            opening = {"index": 0, "delta": {"role": "assistant", "content": text}, "finish_reason": None}
            ending = {"index": 0, "delta": {}, "finish_reason": "stop"}
            lines = [{"id": "1", "model": model, "choices": [choice]} for choice in (opening, ending)]
            lines.append({"id": "1", "model": model, "choices": [], "usage": _USAGE})
            data = "".join(f"data: {json.dumps(line)}\n\n" for line in lines) + "data: [DONE]\n\n"
            self._send(data.encode(), "text/event-stream")

        def _reply(self, value: object) -> None:
            self._send(json.dumps(value).encode(), "application/json")

        def _send(self, data: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield ChatServer(f"http://127.0.0.1:{server.server_address[1]}/v1", asked)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


TOKENS = 15
"""What each request is said to have taken."""
_USAGE = {"prompt_tokens": TOKENS - 5, "completion_tokens": 5, "total_tokens": TOKENS}
