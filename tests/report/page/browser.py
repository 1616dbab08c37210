"""Headless Chromium driven over its DevTools protocol, with nothing but Python's standard library."""

import base64
import json
import os
import shutil
import socket
import struct
import subprocess
import tempfile
import time


def find_chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


def text_of(path):
    """Empty if there is no such file yet."""
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except FileNotFoundError:
        return ""


class WebSocket:
    """As much of RFC 6455 as a client on the same machine needs."""

    def __init__(self, host, port, path):
        self.socket = socket.create_connection((host, port), timeout=30)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.buffer += self.socket.recv(4096)
        answer, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in answer.split(b"\r\n")[0]:
            raise RuntimeError(f"no WebSocket: {answer!r}")

    def _take(self, count):
        while len(self.buffer) < count:
            part = self.socket.recv(1 << 20)
            if not part:
                raise RuntimeError("the browser closed the connection")
            self.buffer += part
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def send(self, text):
        data = text.encode()
        mask = os.urandom(4)
        head = b"\x81"
        if len(data) < 126:
            head += bytes([0x80 | len(data)])
        elif len(data) < 1 << 16:
            head += bytes([0x80 | 126]) + struct.pack(">H", len(data))
        else:
            head += bytes([0x80 | 127]) + struct.pack(">Q", len(data))
        self.socket.sendall(head + mask + bytes(b ^ mask[i % 4] for i, b in enumerate(data)))

    def receive(self):
        message = b""
        while True:
            first, length = self._take(2)
            if length == 126:
                length = struct.unpack(">H", self._take(2))[0]
            elif length == 127:
                length = struct.unpack(">Q", self._take(8))[0]
            part = self._take(length)
            if first & 0x0F in (0, 1):
                message += part
                if first & 0x80:
                    return message.decode()


class Browser:
    """One page. `events` holds everything that the browser reported."""

    def __init__(self, program, width=1280, height=900):
        self.folder = tempfile.mkdtemp(prefix="coppice-page-")
        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-port=0",
             "--no-first-run", "--disable-background-networking", f"--user-data-dir={self.folder}",
             f"--window-size={width},{height}", "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        port_file = os.path.join(self.folder, "DevToolsActivePort")
        deadline = time.time() + 60
        self.events, self.count, self.session, self.socket = [], 0, None, None
        while "\n" not in text_of(port_file):
            if time.time() > deadline or self.process.poll() is not None:
                self.close()
                raise RuntimeError("Chromium did not start")
            time.sleep(0.05)
        port, path = text_of(port_file).split("\n")[:2]
        self.socket = WebSocket("127.0.0.1", int(port), path)
        target = self.call("Target.createTarget", url="about:blank", newWindow=True, width=width, height=height)["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.socket.send(json.dumps(message))
        while True:
            answer = json.loads(self.socket.receive())
            if answer.get("id") == self.count:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def named(self, method):
        return [event["params"] for event in self.events if event.get("method") == method]

    def open(self, path, wait=0.25):
        self.events.clear()
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        deadline = time.time() + 30
        while not self.named("Page.loadEventFired") and time.time() < deadline:
            self.run("1")
            time.sleep(0.05)
        time.sleep(wait)

    def run(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(json.dumps(result["exceptionDetails"]))
        return result["result"].get("value")

    def hover(self, x, y):
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def close(self):
        if self.socket:
            self.socket.socket.close()
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
