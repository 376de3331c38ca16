#!/usr/bin/python3
"""A controller in another process: listens on a socket, and answers each sample of abut with commands.

    examples/controllers/program.py 5555 300 20        # port, stiffness, damping: each joint is drawn to zero
    abut run scene.toml                               # with kind = { type = "socket", address = "localhost:5555", ... }

The lines that go to and fro are described in docs/controllers.md.
"""

import json
import socket
import sys


def serve(port, stiffness, damping):
    with socket.create_server(("localhost", port)) as server:
        connection, _ = server.accept()
        with connection, connection.makefile("rw", encoding="utf-8", newline="\n") as lines:
            greeting = json.loads(lines.readline())
            print(f"{greeting['controller']} every {greeting['period']} s, joints {', '.join(greeting['joints'])}")
            for line in lines:  # until abut closes its end
                sample = json.loads(line)
                commands = [-stiffness * q - damping * v for q, v in zip(sample["q"], sample["v"])]
                lines.write(json.dumps({"commands": commands}) + "\n")
                lines.flush()


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    serve(int(sys.argv[1]), float(sys.argv[2]), float(sys.argv[3]))
