"""Two processes import different tables into one folder at once: one writes all of its files, the other is refused."""
import pathlib
import shutil
import subprocess

for name, end in (("a", 1), ("b", 2)):
    pathlib.Path(f"{name}.csv").write_text("from,to,w\n" + "".join(f"{i},{i + end},{end}.5\n" for i in range(3000)))
    subprocess.run(["gnn-data", "import", f"{name}.csv", f"alone-{name}"], check=True, stdout=subprocess.DEVNULL)


def arrays(folder):
    return {file.name: file.read_bytes() for file in sorted(pathlib.Path(folder).glob("*.npy"))}


refused = mixed = 0
for _ in range(20):
    shutil.rmtree("at-once", ignore_errors=True)
    both = [subprocess.Popen(["gnn-data", "import", f"{name}.csv", "at-once"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for name in "ab"]
    refused += sorted(process.wait() for process in both) == [0, 2]
    mixed += arrays("at-once") not in (arrays("alone-a"), arrays("alone-b"))
print(refused, "times one was refused,", mixed or "nothing", "was mixed")
