"""The same pipeline behind an address of this machine.

python serve.py 8123      # then: bakeoff run task.yaml --model endpoint:http://127.0.0.1:8123/ask
"""

import json
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from pipeline import extract


class Ask(BaseHTTPRequestHandler):
    """Answers `{"question", "messages", "id"}` with the mapping that the function returns."""

    def do_POST(self) -> None:
        """Answer one question."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        body = json.dumps(extract(asked["question"])).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Ask).serve_forever()
