"""Set up and run Deniability Lab with nothing but Python: `python3 lab.py start` or `python3 lab.py test`.

start [OPTIONS]  install what running needs, then open the dashboard (OPTIONS go to `streamlit run`)
test [OPTIONS]   install what the tests need, a browser included, then run them all (OPTIONS go to pytest)
serve [OPTIONS]  start the dashboard with the Python at hand, installing nothing (for containers)
words [CODE]     bring the catalogues in assets/locale up to date; CODE begins a new language
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def run(*command: str | Path, quiet: bool = False) -> bool:
    """Run a command; False where it is missing or fails."""
    try:
        return subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL if quiet else None).returncode == 0
    except FileNotFoundError:
        return False


def install(requirements: str) -> None:
    """Make the virtual environment and install `requirements` into it, unless that was done before."""
    if not run(PYTHON, "-m", "pip", "--version", quiet=True):
        print("Making a virtual environment in .venv ...")
        if not run(sys.executable, "-m", "venv", "--clear", VENV):
            sys.exit("Python's venv module is needed (on Debian or Ubuntu: apt install python3-venv).")
    wanted = "".join((ROOT / name).read_text() for name in ("requirements.txt", requirements))
    stamp = VENV / f"installed-{requirements}"
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print(f"Installing {requirements} ...")
    if not run(PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements):
        sys.exit("Installing failed; see the lines above. A network connection is needed for this first step.")
    stamp.write_text(wanted)


def find_browser() -> None:
    """Find Chromium and a Korean font, or install them; the tests say so where it did not work."""
    root = hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get")
    missing = []
    if not os.environ.get("CHROMIUM") and not any(map(shutil.which, BROWSERS)):
        missing.append("chromium")
    if shutil.which("fc-list") and not subprocess.run(("fc-list", ":lang=ko"), capture_output=True).stdout:
        missing.append("fonts-noto-cjk")
    if missing and root:
        print("Installing", *missing, "...")
        run("apt-get", "update", "-qq", quiet=True)
        run("apt-get", "install", "-y", "-qq", *missing, quiet=True)
    elif "chromium" in missing:
        run(PYTHON, "-m", "playwright", "install", "chromium")
    elif missing:
        print("No Korean font found: the test of Korean glyphs will fail. Install one, for example fonts-noto-cjk.")


def inside(*arguments: str) -> int:
    """Run `arguments` with the environment's Python and return its exit code."""
    try:
        return subprocess.run((PYTHON, *arguments), cwd=ROOT).returncode
    except KeyboardInterrupt:
        return 0


def serve(options: list[str]) -> None:
    """Start Streamlit in this process."""
    from streamlit.runtime.pages_manager import PagesManager
    from streamlit.web import cli

    # The folder pages/ belongs to st.navigation. Without this line Streamlit takes it for its own old page finder
    # until the first visitor has opened the app, and tells one who comes by a deep link that the page is missing.
    PagesManager.uses_pages_directory = False
    cli.main(["run", str(ROOT / "app.py"), *options])


def words(code: str | None) -> int:
    """Extract the texts and update every catalogue, guessing no translations.

    Babel's own intermediate files have fixed names: in a private folder two runs at once cannot spoil each other's.
    """
    with tempfile.TemporaryDirectory(dir=VENV) as folder:
        return _words(Path(folder), code)


def _words(folder: Path, code: str | None) -> int:
    locales, pot = ROOT / "assets" / "locale", folder / "messages.pot"
    babel = ("-m", "babel.messages.frontend")
    extract = ("extract", "-F", "pyproject.toml", "-k", "N_", "--add-location", "file", "--sort-by-file", "--width=120")
    failed = inside(*babel, *extract, "-o", str(pot), "app.py", "pages", "ui")
    if code and not failed:
        failed = inside(*babel, "init", "-i", str(pot), "-o", str(locales / f"{code}.po"), "-l", code)
    update = ("update", "--no-fuzzy-matching", "--ignore-obsolete", "--width=120", "-i", str(pot))
    for path in sorted(locales.glob("*.po")):
        updated = folder / path.name
        shutil.copy(path, updated)
        failed = failed or inside(*babel, *update, "-o", str(updated), "-l", path.stem)
        if not failed:
            updated.replace(path)
    return failed


def main(command: str = "", *options: str) -> int:
    """Run one command and return its exit code."""
    if sys.version_info < (3, 11):  # noqa: UP036 (the tools promise it, a user's Python may not)
        sys.exit(f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}.")
    if command == "start":
        install("requirements.txt")
        # Only this machine may connect; a host that serves others says so itself.
        return inside("lab.py", "serve", "--server.address", "localhost", *options)
    if command == "serve":
        serve(list(options))
        return 0
    if command == "test":
        install("requirements-dev.txt")
        find_browser()
        # Whole files stay together as long as they can: tests of one file share what it simulates.
        return inside("-m", "pytest", "-n", "2", "--dist", "worksteal", *options)
    if command == "words":
        install("requirements.txt")
        return words(options[0] if options else None)
    print(__doc__)
    return 0 if command in ("", "help", "--help", "-h") else 2


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
