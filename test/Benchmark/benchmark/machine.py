"""The machine, in the words of its own files."""

import os
import platform
import subprocess


def _first(path, key):
    try:
        with open(path) as lines:
            for line in lines:
                if line.startswith(key):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return "unknown"


def _caches():
    sizes = {}
    folder = "/sys/devices/system/cpu/cpu0/cache"
    for index in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if not index.startswith("index"):
            continue
        def read(name):
            with open("%s/%s/%s" % (folder, index, name)) as file:
                return file.read().strip()
        if read("type") != "Instruction":
            sizes["L" + read("level")] = read("size")
    return sizes


def cores():
    return len(os.sched_getaffinity(0))


def describe():
    flags = _first("/proc/cpuinfo", "flags").split()
    return {"cpu": _first("/proc/cpuinfo", "model name"), "cores": cores(),
            "vectors": "AVX-512" if "avx512f" in flags else "AVX2" if "avx2" in flags else "other", "caches": _caches(),
            "memory": _first("/proc/meminfo", "MemTotal"), "virtual": "hypervisor" in flags, "system": platform.platform(),
            "load_before": os.getloadavg()[0]}


def memory_bytes():
    return int(_first("/proc/meminfo", "MemTotal").split()[0]) * 1024


def commit(folder):
    answer = subprocess.run(["git", "-C", str(folder), "describe", "--always", "--dirty"], capture_output=True, text=True)
    return answer.stdout.strip() or "unknown"
