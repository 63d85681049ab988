"""A collector that takes OTLP over HTTP in JSON, and writes each span as a line of FOLDER/spans.

Usage: collector.py FOLDER; the port is written to FOLDER/port.
"""

import base64
import http.server
import json
import pathlib
import sys

from google.protobuf.json_format import ParseDict
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


def with_bytes(value):
    """OTLP's JSON has IDs in hexadecimal, where Protobuf's own JSON has bytes in base64."""
    if isinstance(value, list):
        return [with_bytes(item) for item in value]
    if not isinstance(value, dict):
        return value
    ids = {"traceId", "spanId", "parentSpanId"}
    return {
        name: base64.b64encode(bytes.fromhex(item)).decode() if name in ids else with_bytes(item)
        for name, item in value.items()
    }


def plain(value):
    kind = value.WhichOneof("value")
    if kind == "array_value":
        return [plain(item) for item in value.array_value.values]
    return getattr(value, kind)


def attributes(of):
    return {attribute.key: plain(attribute.value) for attribute in of}


def spans(body):
    # A member that the protocol does not have is an error.
    request = ParseDict(with_bytes(json.loads(body)), ExportTraceServiceRequest())
    for resource in request.resource_spans:
        for scope in resource.scope_spans:
            for span in scope.spans:
                assert len(span.trace_id) == 16 and len(span.span_id) == 8, span
                assert span.start_time_unix_nano <= span.end_time_unix_nano, span
                yield {
                    "service": attributes(resource.resource.attributes)["service.name"],
                    "trace": span.trace_id.hex(), "id": span.span_id.hex(), "parent": span.parent_span_id.hex(),
                    "name": span.name, "kind": span.kind, "status": span.status.code,
                    "start": span.start_time_unix_nano, "end": span.end_time_unix_nano,
                    "attributes": attributes(span.attributes),
                }


class Collector(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            assert (self.path, self.headers["Content-Type"]) == ("/v1/traces", "application/json")
            lines = [json.dumps(span) + "\n" for span in spans(body)]
            with open(folder / "spans", "a") as file:
                file.writelines(lines)
            status = 200
        except Exception as error:
            (folder / "error").write_text(f"{error!r}\n{body!r}")
            status = 400
        answer = b"{}"
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


folder = pathlib.Path(sys.argv[1])
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
(folder / "port").write_text(str(server.server_port))
server.serve_forever()
