#!/usr/bin/env python3
"""Ranks on two machines with a network between them: namespaces with an address and a name each, joined by a cable.

usage: hosts_test.py PROGRAM [both|slow|cut]
Ends with 77, and says why, where namespaces are not allowed or there is no Open MPI.
"""
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import ranks_test  # noqa: E402
import slow_cable  # noqa: E402

NETWORK = "10.77.203"
# What a launcher on a real network wants too: daemons notice within seconds that a machine is gone (docs/scale.md).
WATCHFUL = ["--mca", "oob_tcp_keepalive_time", "5", "--mca", "oob_tcp_keepalive_intvl", "2", "--mca",
            "oob_tcp_keepalive_probes", "3"]


def call(*words):
    return subprocess.run(words, capture_output=True, text=True)


class Hosts:
    """Two machines. What is started on the first reaches the second through an agent in place of ssh."""

    def __init__(self, folder, slow=False):
        """slow: the cable is, where there can be such a one."""
        self.names = [f"coppice-a{os.getpid()}", f"coppice-b{os.getpid()}"]
        self.cables = [f"cpa{os.getpid()}", f"cpb{os.getpid()}"]
        self.folder = folder
        self.slow_cable = None
        for name in self.names:
            if call("ip", "netns", "add", name).returncode != 0:
                self.remove()
                ranks_test.skip("namespaces of the network are not allowed here (ip netns add)")
        self.connect(slow)
        for i, (name, cable) in enumerate(zip(self.names, self.cables)):
            call("ip", "link", "set", cable, "netns", name)
            self.inside(i, "ip", "addr", "add", f"{NETWORK}.{i + 1}/24", "dev", cable)
            self.inside(i, "ip", "link", "set", cable, "up")
            self.inside(i, "ip", "link", "set", "lo", "up")
        self.agent = folder.path / "agent.sh"
        self.agent.write_text(f"""#!/bin/sh
# agent ADDRESS COMMAND...: what ssh does.
name={self.names[0]}
[ "$1" = {NETWORK}.1 ] || name={self.names[1]}
shift
exec ip netns exec "$name" unshare --uts /bin/sh -c "hostname $name; $*"
""")
        self.agent.chmod(0o755)

    def connect(self, slow):
        if slow:
            try:
                self.slow_cable = slow_cable.SlowCable(self.cables)
                return
            except OSError:
                pass  # the test says so
        if call("ip", "link", "add", self.cables[0], "type", "veth", "peer", "name", self.cables[1]).returncode != 0:
            self.remove()
            ranks_test.skip("there are no cables between namespaces here (ip link add type veth)")

    def inside(self, host, *words):
        return call("ip", "netns", "exec", self.names[host], *words)

    def mpirun(self, each):
        both = f"{NETWORK}.1:{each},{NETWORK}.2:{each}"
        return ["ip", "netns", "exec", self.names[0], "unshare", "--uts", "/bin/sh", "-c",
                f"hostname {self.names[0]}; exec \"$0\" \"$@\"", *ranks_test.mpirun(2 * each), "--host", both,
                "--map-by", "node", "--mca", "plm_rsh_agent", str(self.agent), "--mca", "btl", "tcp,self", "--mca",
                "btl_tcp_if_include", f"{NETWORK}.0/24", "--mca", "oob_tcp_if_include", f"{NETWORK}.0/24", *WATCHFUL]

    def processes(self, host):
        """Ids of what runs on it."""
        return [int(word) for word in call("ip", "netns", "pids", self.names[host]).stdout.split()]

    def remove(self):
        for i, name in enumerate(self.names):
            for process in self.processes(i):
                try:
                    os.kill(process, signal.SIGKILL)
                except ProcessLookupError:
                    pass
            call("ip", "netns", "del", name)
        if self.slow_cable:
            self.slow_cable.remove()
        else:
            call("ip", "link", "del", self.cables[0])


def both(folder, hosts):
    """The run of one process, by two machines."""
    said = folder.ok(hosts.mpirun(2) + folder.train("both"))
    assert "4 ranks on 2 machines" in said, said
    folder.expect_same("alone", "both")
    print("two machines: the same files")


def slow(folder, hosts):
    """A machine that gets a tenth of the time, behind a cable that takes 50 ms and carries 2 Mbit/s where there can be one."""
    process = folder.start(hosts.mpirun(1) + folder.train("slow", "--quiet"))
    done = threading.Event()

    def hold_back():
        while not done.is_set():
            ranks = [p for p in hosts.processes(1) if is_program(p, folder.program)]
            for signal_, seconds in ((signal.SIGSTOP, 0.9), (signal.SIGCONT, 0.1)):
                for rank in ranks:
                    try:
                        os.kill(rank, signal_)
                    except ProcessLookupError:
                        pass
                time.sleep(seconds)

    thread = threading.Thread(target=hold_back)
    thread.start()
    _, errors = process.communicate(timeout=500)
    done.set()
    thread.join()
    assert process.returncode == 0, errors
    folder.expect_same("alone", "slow")
    if hosts.slow_cable:
        assert min(hosts.slow_cable.carried) > 100, f"the cable carried {hosts.slow_cable.carried} frames"
    print("a slow machine" + (" behind a slow cable" if hosts.slow_cable else "; this system has no TAP devices for a slow cable") +
          ": the same files")


def is_program(process, program):
    try:
        return os.readlink(f"/proc/{process}/exe") == program
    except OSError:
        return False


def cut(folder, hosts):
    """The cable is cut in the middle of a run."""
    process = folder.start(hosts.mpirun(1) + folder.train("cut", "--quiet"))
    ranks_test.wait_for_checkpoint(folder, "cut", process, 0)
    assert process.poll() is None or process.returncode == 0, process.communicate()[1]
    since = time.monotonic()
    hosts.inside(1, "ip", "link", "set", hosts.cables[1], "down")
    _, errors = process.communicate(timeout=120)
    seconds = time.monotonic() - since
    whole = (folder.path / "cut" / "summary.json").exists()
    if whole:
        print("the run was over before the cable was cut")
    else:
        assert process.returncode != 0, errors
        assert len(ranks_test.our_sentences(errors)) <= 1, errors
        assert seconds < 30, f"it took {seconds:.0f} s to end\n{errors}"
    until = time.monotonic() + 40
    while any(is_program(p, folder.program) for p in hosts.processes(1)) and time.monotonic() < until:
        time.sleep(0.5)
    left = [p for p in hosts.processes(1) if is_program(p, folder.program)]
    assert not left, f"beyond the cut something still runs: {left}"
    hosts.inside(1, "ip", "link", "set", hosts.cables[1], "up")
    if not whole:
        folder.ok([folder.program, "train", "--resume", "cut", "--quiet"])
    folder.expect_same("alone", "cut")
    print(f"a cable cut: ended after {seconds:.1f} s, the same files after all")
    for sentence in ranks_test.our_sentences(errors):
        print(sentence)


def main():
    if os.geteuid() != 0:
        ranks_test.skip("namespaces of the network need root")
    for tool in ("ip", "unshare"):
        if shutil.which(tool) is None:
            ranks_test.skip(f"there is no {tool} (iproute2)")
    program = ranks_test.program_with_mpi(sys.argv[1])
    for name in sys.argv[2:] or ("both", "slow", "cut"):
        folder = ranks_test.Folder(program)
        hosts = Hosts(folder, slow=name == "slow")
        try:
            folder.ok(folder.train("alone", "--quiet"))
            globals()[name](folder, hosts)
        finally:
            hosts.remove()
        shutil.rmtree(folder.path)


if __name__ == "__main__":
    main()
