"""limited.py COMMAND...: runs it with files of at most 4 KB, and fails unless its exit code is 3."""
import resource
import subprocess
import sys

resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
code = subprocess.run(sys.argv[1:]).returncode
sys.exit(0 if code == 3 else f"exit code {code}, not 3")
