"""Machines for servers: this one, or several in a network that can be split and slowed down.

Each of the latter is a network namespace. One of its interfaces leads to a bridge, to which all
machines of one side of a split are attached; the other always leads to this machine. Only root can
create them.
"""

import contextlib
import random
import subprocess
import uuid
from typing import NamedTuple

# Networks for benchmarks (RFC 2544), which no machine should have.
_INNER = "198.18.{}.{}"
_OUTER = "198.19.{}.{}"


class Machine(NamedTuple):
    """Servers on other machines reach it at `address`, tests at `outer_address`.

    `prefix` is the beginning of each command that runs on it.
    """

    address: str
    outer_address: str
    prefix: tuple = ()

    @property
    def listen(self):
        """The addresses to listen on, separated by commas, as servers expect them."""
        return ",".join(dict.fromkeys([self.address, self.outer_address]))


THIS = Machine("127.0.0.1", "127.0.0.1")


def why_impossible():
    """Return why there can be no Network here, or None."""
    try:
        with Network(1):
            return None
    except (OSError, subprocess.CalledProcessError) as error:
        return f"network namespaces cannot be joined here: {getattr(error, 'stderr', error)}"


class Network:
    """A context manager that creates the `machines`, and removes them at the end."""

    def __init__(self, count):
        self._name = f"pl{uuid.uuid4().hex[:6]}"
        self._number = random.randrange(256)
        self._stack = contextlib.ExitStack()
        self._bridges = [f"{self._name}b{side}" for side in range(count)]
        self._ports = [f"{self._name}p{index}" for index in range(count)]
        self.machines = [self._machine(index) for index in range(count)]

    def _machine(self, index):
        return Machine(
            _INNER.format(self._number, index + 1),
            _OUTER.format(self._number, 4 * index + 2),
            ("ip", "netns", "exec", f"{self._name}n{index}"),
        )

    def __enter__(self):
        with self._stack:
            for bridge in self._bridges:
                _run("ip", "link", "add", bridge, "type", "bridge")
                self._stack.callback(_run, "ip", "link", "del", bridge)
                _run("ip", "link", "set", bridge, "up")
            for index, machine in enumerate(self.machines):
                self._add(index, machine)
            self._stack = self._stack.pop_all()
        return self

    def __exit__(self, *_error):
        self._stack.close()

    def _add(self, index, machine):
        namespace = machine.prefix[-1]
        _run("ip", "netns", "add", namespace)
        self._stack.callback(_run, "ip", "netns", "del", namespace)
        port, outer = self._ports[index], f"{self._name}o{index}"
        for name, inside, address, bits in (
            (port, "eth0", machine.address, 24),
            (outer, "eth1", machine.outer_address, 30),
        ):
            _run(
                *("ip", "link", "add", name, "type", "veth"),
                *("peer", "name", inside, "netns", namespace),
            )
            _run(*machine.prefix, "ip", "address", "add", f"{address}/{bits}", "dev", inside)
            _run(*machine.prefix, "ip", "link", "set", inside, "up")
            _run("ip", "link", "set", name, "up")
        _run(*machine.prefix, "ip", "link", "set", "lo", "up")
        own = _OUTER.format(self._number, 4 * index + 1)
        _run("ip", "address", "add", f"{own}/30", "dev", outer)
        _run("ip", "link", "set", port, "master", self._bridges[0])

    def split(self, *sides):
        """Let machines reach only those on their own side; all others form one more side."""
        for bridge, side in zip(self._bridges[1:], sides, strict=False):
            for machine in side:
                self._attach(machine, bridge)

    def heal(self):
        for machine in self.machines:
            self._attach(machine, self._bridges[0])

    def _attach(self, machine, bridge):
        _run("ip", "link", "set", self._port(machine), "master", bridge)

    def _port(self, machine):
        return self._ports[self.machines.index(machine)]

    def slow_down(self):
        """Delay what is sent to each machine. Return a description of the delay."""
        return max(self._slow_down(port) for port in self._ports)

    def _slow_down(self, port):
        try:
            _run("tc", "qdisc", "add", "dev", port, "root", "netem", "delay", "30ms", "20ms")
            return "delays of 30 ± 20 ms"
        except subprocess.CalledProcessError:
            # Not every kernel has netem.
            narrow = ("rate", "1mbit", "burst", "4kb", "latency", "400ms")
            _run("tc", "qdisc", "add", "dev", port, "root", "tbf", *narrow)
            return "links of 1 Mbit/s"

    def speed_up(self):
        for port in self._ports:
            _run("tc", "qdisc", "del", "dev", port, "root")


def _run(*command):
    subprocess.run(command, capture_output=True, text=True, check=True)
