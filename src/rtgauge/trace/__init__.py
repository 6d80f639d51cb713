"""Bytes to Trace, and RunSpec to bytes: the format of docs/trace.md, read as untrusted input.

from rtgauge.trace import Reader, read_trace, encode_request, encode_list_request
"""

from rtgauge.trace.reader import Reader, read_trace
from rtgauge.trace.writer import encode_list_request, encode_request

__all__ = ["Reader", "encode_list_request", "encode_request", "read_trace"]
