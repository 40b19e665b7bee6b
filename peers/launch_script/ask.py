"""The program behind each command of a launch script: asks the launcher, prints its answer.

``python -I -S ask.py NAME ARGUMENT ...``; it imports next to nothing, as a script may call it a
hundred times. The launcher listens at ``answers`` in the folder ``STEERAGEWAY_SCRIPT``.
"""

import os
import sys
from _socket import AF_UNIX, SHUT_WR, SOCK_STREAM, socket  # the module socket loads slowly


def main() -> int:
    """Ask, print what the command prints, and return its exit code."""
    pids = f"{os.environ['STEERAGEWAY_PIDS']} {os.getpid()}"
    asked = b"\0".join(map(os.fsencode, (pids, os.getcwd(), *sys.argv[1:])))
    os.chdir(os.environ["STEERAGEWAY_SCRIPT"])  # a socket's path is limited to 100 characters
    connection = socket(AF_UNIX, SOCK_STREAM)
    connection.connect("answers")
    while asked:
        asked = asked[connection.send(asked) :]
    connection.shutdown(SHUT_WR)
    answer = b""
    while part := connection.recv(1 << 16):
        answer += part
    code, out, err = answer.split(b"\0")
    for stream, text in ((1, out), (2, err)):
        while text:
            text = text[os.write(stream, text) :]
    return int(code)


if __name__ == "__main__":
    os._exit(main())
