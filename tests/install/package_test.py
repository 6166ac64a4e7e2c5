# SPDX-License-Identifier: Apache-2.0
"""package_test.py FOLDER ROOT: checks the Debian package in FOLDER and unpacks it into ROOT."""
import pathlib
import shutil
import subprocess
import sys

FILES = ["usr/bin/fansim", "usr/share/fansim/configs/systems/zcu102_stream.yaml", "usr/share/fansim/models/alexnet.yaml",
         "usr/share/fansim/traces/stream.gtkw", "usr/share/doc/fansim/copyright", "usr/share/doc/fansim/README.md",
         "usr/share/doc/fansim/pins.md", "usr/share/man/man1/fansim.1.gz", "usr/share/man/man1/fansim-run.1.gz",
         "usr/share/man/man1/fansim-drive-ddr.1.gz", "usr/share/bash-completion/completions/fansim",
         "usr/share/zsh/vendor-completions/_fansim", "usr/share/fish/vendor_completions.d/fansim.fish",
         "usr/lib/cmake/fansim/fansimConfig.cmake", "usr/lib/libfansim_blocks.a", "usr/lib/libfansim_runs.a",
         "usr/include/fansim/runs/run.h", "usr/include/fansim/sim/scheduler.h", "usr/include/fansim/axi/pins/dma_pins.h",
         "usr/share/fansim/examples/bench/CMakeLists.txt", "usr/share/fansim/examples/toy/CMakeLists.txt"]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def field(package, name):
    return output("dpkg-deb", "--field", package, name).strip()


def packages(text):
    """Returns the names in a field like "libc6 (>= 2.36), libfmt9"."""
    return {part.split()[0].split(":")[0] for part in text.split(",") if part.split()}


def provider(library):
    """Returns the package of a shared library; dpkg knows some by the path without /usr."""
    for path in (library, str(pathlib.Path(library).resolve()), library.removeprefix("/usr"), "/usr" + library):
        found = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    raise AssertionError(f"{library} is of no package")


def linked_packages(program):
    """Returns the packages of the libraries that the program itself names; those name their own."""
    needed = [line.split("[")[1].rstrip("]") for line in output("readelf", "-d", program).splitlines() if "(NEEDED)" in line]
    paths = {line.split()[0]: line.split()[2] for line in output("ldd", program).splitlines() if "=> /" in line}
    return {provider(paths[name]) for name in needed if name in paths}


def main(folder, root):
    package = str(max(pathlib.Path(folder).glob("*.deb"), key=lambda file: file.stat().st_mtime))
    listed = {line.split(None, 5)[5].removeprefix("./") for line in output("dpkg-deb", "--contents", package).splitlines()}
    missing = [name for name in FILES if name not in listed]
    assert not missing, f"not in the package: {missing}"
    outside = [name for name in listed if name and not name.startswith("usr/")]
    assert not outside, f"beside /usr: {outside}"
    assert field(package, "Package") == "fansim"
    assert field(package, "Architecture") == output("dpkg", "--print-architecture").strip()

    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["dpkg-deb", "--extract", package, root], check=True)
    links, depends = linked_packages(f"{root}/usr/bin/fansim"), packages(field(package, "Depends"))
    assert links, "the program links nothing?"
    assert links <= depends, f"links {links - depends}, which it does not depend on"
    print(f"{package}: {len(listed)} entries, depends on {', '.join(sorted(depends))}")


if __name__ == "__main__":
    main(*sys.argv[1:])
