"""A slow cable between two machines, made by hand: few kernels have netem, and most have TAP devices."""
import fcntl
import os
import queue
import random
import struct
import threading
import time

TUNSETIFF, IFF_TAP, IFF_NO_PI = 0x400454CA, 0x0002, 0x1000
LONGEST_FRAME = 65536


class SlowCable:
    """Two ends, which are devices of these names; frames that go in at one come out of the other later, in their order."""

    def __init__(self, names, seconds=0.05, more=0.02, bits_per_second=2e6):
        self.seconds, self.more, self.bits_per_second = seconds, more, bits_per_second
        self.carried = [0, 0]  # frames from each end
        self.ends = [open_end(name) for name in names]
        self.chance = random.Random(1)
        for source in (0, 1):
            under_way = queue.SimpleQueue()
            threading.Thread(target=self.take, args=[source, under_way], daemon=True).start()
            threading.Thread(target=self.give, args=[source, under_way], daemon=True).start()

    def take(self, source, under_way):
        while True:
            try:
                frame = os.read(self.ends[source], LONGEST_FRAME)
            except OSError:  # the device went with its machine, or is not up yet
                if not self.is_there(source):
                    return
                time.sleep(0.01)
                continue
            under_way.put((time.monotonic() + self.seconds + self.chance.uniform(-self.more, self.more), frame))

    def give(self, source, under_way):
        free = 0.0  # when the frame before has left the cable
        while True:
            arrives, frame = under_way.get()
            free = max(arrives, free) + 8 * len(frame) / self.bits_per_second
            time.sleep(max(0.0, free - time.monotonic()))
            self.carried[source] += 1
            try:
                os.write(self.ends[1 - source], frame)
            except OSError:
                continue  # nobody listens at the other end

    def is_there(self, source):
        try:
            fcntl.fcntl(self.ends[source], fcntl.F_GETFD)
        except OSError:
            return False
        return True

    def remove(self):
        for end in self.ends:
            os.close(end)


def open_end(name):
    """Raises OSError where there are no TAP devices."""
    end = os.open("/dev/net/tun", os.O_RDWR)
    try:
        fcntl.ioctl(end, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TAP | IFF_NO_PI))
    except OSError:
        os.close(end)
        raise
    return end
