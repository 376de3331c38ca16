"""Builds the wheel for pip (PEP 517): CMake makes module and command, and this packs them with what is Python.

ABUT_PRESET chooses the build, as for the launcher; another interpreter than the one it was made for gets a build of its
own beside it.
"""

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")  # such as .cpython-311-x86_64-linux-gnu.so


def read_version():
    return re.search(r"project\(abut VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)


def count_jobs():
    """As tools/lib.sh: one a core, and no more than memory allows."""
    done = subprocess.run(["bash", "-c", f'source "{ROOT}/tools/lib.sh"; abut_jobs'], stdout=subprocess.PIPE, check=True)
    return done.stdout.decode().strip()


def call(*command):
    subprocess.run([*map(str, command)], cwd=ROOT, check=True)


def find_interpreter(build):
    """That of a build folder, or None."""
    cache = build / "CMakeCache.txt"
    found = re.search(r"^ABUT_PYTHON:FILEPATH=(.*)$", cache.read_text(), re.M) if cache.is_file() else None
    return found and found.group(1)


def build_targets():
    """Returns the build folder with a module for this interpreter."""
    preset = os.environ.get("ABUT_PRESET", "release")
    usual = find_interpreter(ROOT / "build" / preset) or "/usr/bin/python3"
    ask = "import sysconfig; print(sysconfig.get_config_var('EXT_SUFFIX'))"
    is_same = pathlib.Path(usual).exists() and subprocess.check_output([usual, "-c", ask], text=True).strip() == SUFFIX
    build = ROOT / "build" / (preset if is_same else preset + SUFFIX.removesuffix(".so"))
    chosen = [] if is_same else [f"-DABUT_PYTHON={sys.executable}"]
    call("cmake", "--preset", preset, "-B", build, *chosen)
    call("cmake", "--build", build, "--parallel", count_jobs(), "--target", "abut_python", "abut_command")
    return build


def list_files(build):
    """(name in the wheel, file, executable)"""
    package = ROOT / "python" / "abut"
    files = [(f"abut/{path.name}", path, False) for path in sorted(package.iterdir())
             if path.suffix in {".py", ".pyi"} or path.name == "py.typed"]
    module = build / "python" / "abut" / f"_abut{SUFFIX}"
    if not module.is_file():
        raise SystemExit(f"abut: {module} was not built: are pybind11-dev and python3-dev installed? tools/setup python")
    return [*files, (f"abut/{module.name}", module, True), ("abut/bin/abut", build / "apps/abut/abut", True)]


def make_metadata():
    return {
        "METADATA": "Metadata-Version: 2.1\nName: abut\n" f"Version: {read_version()}\n"
                    "Summary: Contact dynamics that can be trusted\nLicense: Apache-2.0\nRequires-Python: >=3.11\n"
                    "Requires-Dist: numpy\nProvides-Extra: tables\nRequires-Dist: pandas; extra == 'tables'\n"
                    "Requires-Dist: xarray; extra == 'tables'\nProvides-Extra: plots\n"
                    "Requires-Dist: matplotlib; extra == 'plots'\n",
        "WHEEL": f"Wheel-Version: 1.0\nGenerator: abut_build\nRoot-Is-Purelib: false\nTag: {make_tag()}\n",
        "entry_points.txt": "[console_scripts]\nabut = abut:main\n",
    }


def make_tag():
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    return f"{python}-{python}-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"


class Wheel:
    """A zip with the record of what is in it."""

    def __init__(self, path):
        self.zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)
        self.rows = []

    def add(self, name, data, is_executable=False):
        info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))  # the same bytes from the same files
        info.compress_type = zipfile.ZIP_DEFLATED
        info.external_attr = (0o100755 if is_executable else 0o100644) << 16
        self.zip.writestr(info, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        self.rows.append(f"{name},sha256={digest},{len(data)}")

    def close(self, record):
        self.zip.writestr(record, "\n".join([*self.rows, f"{record},,", ""]))
        self.zip.close()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Called by pip."""
    build = build_targets()
    name = f"abut-{read_version()}-{make_tag()}.whl"
    info = f"abut-{read_version()}.dist-info"
    wheel = Wheel(pathlib.Path(wheel_directory) / name)
    for place, path, is_executable in list_files(build):
        wheel.add(place, path.read_bytes(), is_executable)
    for place, text in make_metadata().items():
        wheel.add(f"{info}/{place}", text.encode())
    wheel.add(f"{info}/LICENSE", (ROOT / "LICENSE").read_bytes())
    wheel.close(f"{info}/RECORD")
    return name


def build_sdist(sdist_directory, config_settings=None):
    """Called by pip: what git knows of."""
    name = f"abut-{read_version()}"
    files = subprocess.check_output(["git", "ls-files", "-z"], cwd=ROOT, text=True).split("\0")
    with tarfile.open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "w:gz") as archive:
        for file in filter(None, files):
            archive.add(ROOT / file, f"{name}/{file}")
    return f"{name}.tar.gz"
