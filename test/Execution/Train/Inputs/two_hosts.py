"""Two network namespaces with a cable between them, as two machines. Run by `unshare --net`, as root."""
import subprocess
import sys

ADDRESSES = ("10.99.0.1", "10.99.0.2")


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True)


class TwoHosts:
    """`rate`: of the cable in either direction, as tc reads it; None: as fast as it goes."""

    def __init__(self, rate=None):
        self.other = subprocess.Popen(["unshare", "--net", "sh", "-c", "echo; exec cat"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.other.stdout.readline()  # it has its namespace
        ip("link", "add", "cable0", "type", "veth", "peer", "name", "cable1", "netns", str(self.other.pid))
        for host in (0, 1):
            self.run(host, "ip", "addr", "add", ADDRESSES[host] + "/24", "dev", "cable%d" % host)
            self.run(host, "ip", "link", "set", "cable%d" % host, "up")
            self.run(host, "ip", "link", "set", "lo", "up")
            if rate:
                self.run(host, *"tc qdisc add dev cable{} root tbf rate {} burst 256kb latency 50ms".format(host, rate).split())

    def on(self, host, *command):
        return (["nsenter", "--net=/proc/%d/ns/net" % self.other.pid] if host else []) + list(command)

    def run(self, host, *command):
        subprocess.run(self.on(host, *command), check=True)

    def start_ranks(self, *command):
        options = ["--ranks", "2", "--rendezvous", ADDRESSES[0] + ":7000"]
        return [subprocess.Popen(self.on(rank, *command, *options, "--rank", str(rank)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for rank in (0, 1)]

    def close(self):
        self.other.stdin.close()
        self.other.wait()


if __name__ == "__main__":  # whether this machine can do that
    TwoHosts().close()
    sys.exit(0)
