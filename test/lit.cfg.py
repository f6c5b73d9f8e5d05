# The lit suite: one folder a stage, and Execution for what compiles and runs. docs/testing.md says how to run one test.
#
# Substitutions: the tools by name, %source (the checkout), %stdlib, %examples, %shared_data, %python, %cc, %cxx, %cmake, %build (this
#                build's folder) and %fake_cuda (runs a command with a device that test/Device emulates).
# Features:      execution    the whole chain is built, from gnnc to gnn-train
#                shared-data  the folder of real graphs is there (CMake variable GNNC_SHARED_DATA)
#                node         Node.js is there, which runs the editor extension
#                ptxas        the assembler of the CUDA toolkit, %ptxas
#                numpy        the interpreter that runs the suite has it: for the benchmarks
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
config.test_exec_root = config.gnnc_test_exec_root

config.environment["FILECHECK_OPTS"] = "-enable-var-scope --allow-unused-prefixes=false"
config.environment["LC_ALL"] = "C.UTF-8"
config.environment["NO_COLOR"] = "1"

for name, folder in [("stdlib", "stdlib"), ("examples", "examples")]:
    config.substitutions.append(("%" + name, os.path.join(config.gnnc_source_dir, folder)))
config.substitutions.append(("%source", config.gnnc_source_dir))
config.substitutions.append(("%shared_data", config.gnnc_shared_data))
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%cmake", config.gnnc_cmake))
config.substitutions.append(("%build", config.gnnc_build_dir))
config.substitutions.append(("%cc", config.gnnc_cc))
config.substitutions.append(("%cxx", config.gnnc_cxx))
config.substitutions.append(("%fake_cuda", "env LD_LIBRARY_PATH=" + os.path.join(config.gnnc_build_dir, "test", "fake-cuda")))

llvm_config.with_environment("PATH", [config.gnnc_tools_dir, config.llvm_tools_dir], append_path=True)
tools = [ToolSubst(tool, unresolved="ignore") for tool in config.gnnc_tools]
llvm_config.add_tool_substitutions(tools, [config.gnnc_tools_dir])

if all(os.path.exists(os.path.join(config.gnnc_tools_dir, tool)) for tool in ("gnnc", "gnn-train", "gnn-data")):
    config.available_features.add("execution")
if shutil.which("node"):
    config.available_features.add("node")
ptxas = os.environ.get("GNNC_PTXAS") or shutil.which("ptxas") or shutil.which("ptxas", path="/usr/local/cuda/bin")
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))
else:
    lit_config.note("no ptxas: PTX is not assembled (set the environment variable GNNC_PTXAS)")
if subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", "/mnt"], stderr=subprocess.DEVNULL).returncode == 0:
    config.available_features.add("tmpfs")
if importlib.util.find_spec("numpy"):
    config.available_features.add("numpy")
if os.path.isdir(config.gnnc_shared_data):
    config.available_features.add("shared-data")
else:
    lit_config.note("no folder of real graphs: tests that need it are skipped (set the CMake variable GNNC_SHARED_DATA)")
