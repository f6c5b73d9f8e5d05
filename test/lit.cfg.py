# The lit suite: one folder a stage, and Execution for what compiles and runs. docs/dev/testing.md says how to run one test.
#
# Parameters:    gpu=1        device tests run on this machine's GPU instead of the one that test/Device emulates
#                sanitizer=T  with gpu=1: under compute-sanitizer --tool T
#                sanitizer=address, sanitizer=thread  without: the runtime, its tools, what is there of the compiler, and programs that
#                             tests compile are those with AddressSanitizer and UndefinedBehaviorSanitizer, or ThreadSanitizer
#                             (docs/dev/testing.md)
#                stream=1, ranks=1, isas=1, widths=1, offset=1, poison=1   gnn-verify runs streamed, by ranks, on every instruction set, with
#                             other sizes on every instruction set, with inputs around an offset, or with NaN in data that must not matter
#                             and, in what gnnc compiles and in the runtime, wherever nothing may depend on the number
#                output=DIR   outputs are written there instead of to the build
# Substitutions: the tools by name, %source (the checkout), %stdlib, %examples, %shared_data, %python, %cc, %cxx, %cmake, %lit, %inject
#                (test/Faults/inject.py), %build (this build's folder), %cuda (runs a command with a GPU, or an emulated one), %own_products (the same where no cuBLASLt is
#                found), %fake_cuda (with an emulated one and its settings; not with gpu=1; %fake_nccl and %fake_nvml: with that library, too) and %machine_cuda (with gpu=1: with the
#                machine's driver before any that the program names itself).
# Features:      execution    the whole chain is built, from gnnc to gnn-train
#                shared-data  the folder of real graphs is there (CMake variable GNNC_SHARED_DATA)
#                node         Node.js is there, which runs the editor extension
#                site         Sphinx and Doxygen are there, which make the site (scripts/install-deps --site)
#                gpu          device tests run on a GPU; tests of the fake driver alone are UNSUPPORTED with it
#                ptxas        the assembler of the CUDA toolkit, %ptxas; `%quickly_assembled COMMAND` has it go without optimizing, but for GPUs
#                torch        PyTorch and PyTorch Geometric are there, for %torch_python: that of the environment variable GNNC_TORCH_PYTHON, or
#                             the one that runs the suite
#                numpy        the interpreter that runs the suite has it: for the benchmarks
#                mpi          the library over MPI is built, %mpirun
#                tmpfs        a user may mount a small file system in a namespace of their own

import importlib.util
import os
import shutil
import subprocess
import sys

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "gnnc"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".mlir", ".gnn", ".test"]
config.excludes = ["Inputs", "unit", "Fuzz", "Benchmark"]
config.test_source_root = os.path.dirname(__file__)
on_gpu = lit_config.params.get("gpu", "0") != "0"
sanitizer = lit_config.params.get("sanitizer")
variant = "gpu" if on_gpu else sanitizer or ""
config.test_exec_root = lit_config.params.get("output") or config.gnnc_test_exec_root
if variant:
    config.test_exec_root = os.path.join(config.test_exec_root, variant)

# A home and a temporary folder of their own, in which tests leave nothing (outside.py). lit's would be removed with what is left in it.
os.environ["LIT_PRESERVES_TMP"] = "1"
for variables, name in [(["HOME"], "home"), (["TMPDIR", "TMP", "TEMP", "TEMPDIR"], "tmp")]:
    folder = os.path.join(config.test_exec_root, name)
    os.makedirs(folder, exist_ok=True)
    config.environment.update(dict.fromkeys(variables, folder))

config.environment["FILECHECK_OPTS"] = "-enable-var-scope --allow-unused-prefixes=false"
config.environment["LC_ALL"] = "C.UTF-8"
config.environment["NO_COLOR"] = "1"
config.environment["PYTHONPATH"] = os.path.join(config.test_source_root, "Inputs")
config.environment["GNN_RUNS"] = ""  # gnn-train keeps only what --run-dir asks for
if "GNNC_UPDATE_GOLDEN" in os.environ:  # Execution/digests writes its golden file anew
    config.environment["GNNC_UPDATE_GOLDEN"] = os.environ["GNNC_UPDATE_GOLDEN"]

for name, folder in [("stdlib", "stdlib"), ("examples", "examples")]:
    config.substitutions.append(("%" + name, os.path.join(config.gnnc_source_dir, folder)))
config.substitutions.append(("%source", config.gnnc_source_dir))
config.substitutions.append(("%shared_data", config.gnnc_shared_data))
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%cmake", config.gnnc_cmake))
hosts = os.path.join(config.gnnc_source_dir, "test", "Execution", "Train", "Inputs", "two_hosts.py")
if shutil.which("unshare") and subprocess.run(["unshare", "--net", sys.executable, "-B", hosts], capture_output=True).returncode == 0:
    config.available_features.add("two-hosts")
for name in ("GNNC_FAULT_POINTS", "GNNC_HISTORY_STEPS", "GNNC_KILLS"):
    config.environment[name] = os.environ.get(name, "")
injector = os.path.join(config.gnnc_source_dir, "test", "Faults", "inject.py")
failing = os.path.join(config.gnnc_build_dir, "lib", "libfailing-calls.so")
config.substitutions.append(("%inject", "%s %s --shim %s" % (sys.executable, injector, failing)))
config.substitutions.append(("%lit", "%s %s" % (sys.executable, config.gnnc_lit)))


def use_gpu():
    """The driver of this machine for %cuda; without a GPU the run ends."""
    driver = os.path.join(config.gnnc_source_dir, "test", "Device", "driver.py")
    found = subprocess.run([sys.executable, driver], capture_output=True, text=True)
    if found.returncode:
        lit_config.fatal("gpu=1: " + found.stderr.strip())
    config.available_features.add("gpu")
    folder = found.stdout.strip()
    if sanitizer and not shutil.which("compute-sanitizer"):
        lit_config.fatal("sanitizer=%s: no compute-sanitizer is on the path" % sanitizer)
    wrap = "sh %s %s " % (os.path.join(config.gnnc_source_dir, "test", "Device", "sanitize"), sanitizer) if sanitizer else ""
    given = ":" + os.environ["LD_LIBRARY_PATH"] if os.environ.get("LD_LIBRARY_PATH") else ""
    config.substitutions.append(("%own_products", "env GNN_CUBLASLT=none " + wrap))
    config.substitutions.append(("%machine_cuda", "env LD_LIBRARY_PATH=%s%s %s" % (folder, given, wrap)))
    config.substitutions.append(("%cuda", wrap))
    for fake in ("%fake_cuda", "%fake_nccl", "%fake_nvml"):
        config.substitutions.append((fake, "false 'a test of the fake driver must be UNSUPPORTED: gpu'"))


def use_fake_gpu():
    folder = os.path.join(config.gnnc_build_dir, "test", "fake-cuda")
    config.substitutions.append(("%own_products", "env GNN_CUBLASLT=none LD_LIBRARY_PATH=" + folder))
    config.substitutions.append(("%cuda", "env LD_LIBRARY_PATH=" + folder))
    config.substitutions.append(("%fake_cuda", "env LD_LIBRARY_PATH=" + folder))
    for library in ("nccl", "nvml"):
        beside = os.path.join(config.gnnc_build_dir, "test", "fake-" + library)
        config.substitutions.append(("%fake_" + library, "env LD_LIBRARY_PATH=%s:%s" % (beside, folder)))


def use_build(build, flags=""):
    """Tools, and the runtime that programs of tests are compiled against with `flags`; what the build lacks is the main one's."""
    folders = [os.path.join(build, "bin"), config.gnnc_tools_dir]
    llvm_config.with_environment("PATH", folders + [config.llvm_tools_dir], append_path=True)
    llvm_config.add_tool_substitutions([ToolSubst(tool, unresolved="ignore") for tool in config.gnnc_tools], folders)
    config.substitutions.append(("%build", build))
    config.substitutions.append(("%cc", config.gnnc_cc + flags))
    config.substitutions.append(("%cxx", config.gnnc_cxx + flags))


config.gnnc_checked = []


def use_sanitizer():
    """What a sanitizer finds ends the program by a signal, which is no failure that `not` takes for the expected one."""
    if sanitizer not in config.gnnc_sanitized_builds:
        lit_config.fatal("sanitizer=%s: expected %s" % (sanitizer, " or ".join(config.gnnc_sanitized_builds)))
    config.available_features.add("sanitizer")
    build = config.gnnc_sanitized_builds[sanitizer]
    if not all(os.path.exists(os.path.join(build, "bin", tool)) for tool in ("gnn-train", "gnn-data")):
        lit_config.fatal("sanitizer=%s: build gnnc-sanitized in %s first" % (sanitizer, build))  # not those of the main build
    if sanitizer == "address":  # what RUN lines of test/Execution compile is loaded by sanitized programs
        compilers = ["gnnc"] + ["gnn-verify"] * os.path.exists(os.path.join(build, "bin", "gnn-verify"))
        config.gnnc_checked = [(r"(?<![-./\w])%s(?![-./\w])" % tool, "env GNNC_CHECK_MEMORY=1 " + tool) for tool in compilers]
    options = "abort_on_error=1:halt_on_error=1:print_stacktrace=1"
    for name in ("UBSAN_OPTIONS", "TSAN_OPTIONS"):
        config.environment[name] = options
    # libLLVM, which is not sanitized, uses memory that LLVM's headers have marked as free in code of ours that is.
    config.environment["ASAN_OPTIONS"] = options + ":allow_user_poisoning=0"
    use_build(build, " -fsanitize=" + {"address": "address,undefined"}.get(sanitizer, sanitizer))


all_isas = "--isas x86-64-v2,x86-64-v3,x86-64-v4"
for way, option in (("stream", "--stream"), ("ranks", "--ranks"), ("isas", all_isas), ("widths", "--widths 4 --graphs multi,half " + all_isas),
                    ("offset", "--offset --graphs multi,isolated,half"), ("poison", "--poison --graphs multi,isolated,lopsided")):
    if lit_config.params.get(way, "0") != "0":
        config.gnnc_checked = [(r"(?<![-./\w])gnn-verify(?![-./\w])", "gnn-verify " + option)]

if lit_config.params.get("poison", "0") != "0":
    config.environment["GNN_POISON"] = "1"

use_gpu() if on_gpu else use_fake_gpu()
use_sanitizer() if sanitizer and not on_gpu else use_build(config.gnnc_build_dir)

if all(os.path.exists(os.path.join(config.gnnc_tools_dir, tool)) for tool in ("gnnc", "gnn-train", "gnn-data")):
    config.available_features.add("execution")
if not sanitizer: # those builds find Arrow or not by themselves
    config.available_features.add("parquet" if config.gnnc_has_parquet else "no-parquet")
if config.gnnc_has_metis:
    config.available_features.add("metis")
if shutil.which("node"):
    config.available_features.add("node")
if shutil.which("sphinx-build") and shutil.which("doxygen"):
    config.available_features.add("site")
ptxas = os.environ.get("GNNC_PTXAS") or shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
else:
    lit_config.note("no ptxas: PTX is not assembled (set the environment variable GNNC_PTXAS)")
quick_ptxas = os.path.join(config.gnnc_source_dir, "test", "Device", "quick-ptxas") if ptxas else "none"
config.substitutions.append(("%quickly_assembled", "env" if on_gpu else "env GNNC_PTXAS=%s PTXAS=%s" % (quick_ptxas, ptxas)))
torch_python = os.environ.get("GNNC_TORCH_PYTHON", sys.executable)
has_torch = "import importlib.util as u, sys; sys.exit(not (u.find_spec('torch') and u.find_spec('torch_geometric')))"
if not sanitizer and subprocess.run([torch_python, "-c", has_torch]).returncode == 0:
    config.available_features.add("torch")
config.substitutions.append(("%torch_python", torch_python))
if subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("tmpfs")
if os.path.exists(os.path.join(config.gnnc_build_dir, "lib", "libgnnrt-mpi.so")) and os.path.exists(config.gnnc_mpiexec) and not sanitizer:
    config.available_features.add("mpi")
    version = subprocess.run([config.gnnc_mpiexec, "--version"], capture_output=True, text=True).stdout
    more = " --oversubscribe --allow-run-as-root" if "Open MPI" in version or "OpenRTE" in version else ""
    config.substitutions.append(("%mpirun", config.gnnc_mpiexec + more))
if importlib.util.find_spec("numpy"):
    config.available_features.add("numpy")
if os.path.isdir(config.gnnc_shared_data):
    config.available_features.add("shared-data")
else:
    lit_config.note("no folder of real graphs: tests that need it are skipped (set the CMake variable GNNC_SHARED_DATA)")
