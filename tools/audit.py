#!/usr/bin/env python3
"""Whether anything that a build is made of has known problems: audit.py SBOM [--tracker FILE].

Without network: a package of which apt's lists hold a newer version has been mended since, most likely. With --tracker, the
file https://security-tracker.debian.org/tracker/data/json, fetched whenever there was a network: problems that are open.
Exit code 0: none is known; 1: some are; 2: there is nothing to hold them against.
"""
import argparse
import json
import re
import subprocess
import sys
from pathlib import Path


def is_newer(a, b):
    return subprocess.run(["dpkg", "--compare-versions", a, "gt", b], check=False).returncode == 0


def newest_in_lists(name):
    """The newest version in apt's lists, and whether it comes from a suite for security; (None, False) if they have none."""
    said = subprocess.run(["apt-cache", "madison", name], check=False, capture_output=True, text=True).stdout
    best, security = None, False
    for line in said.splitlines():
        cells = [cell.strip() for cell in line.split("|")]
        if len(cells) == 3 and cells[0] == name and (best is None or is_newer(cells[1], best)):
            best, security = cells[1], "security" in cells[2]
    return best, security


def packages_of(sbom):
    for package in sbom["packages"]:
        source = re.match(r"built from the source package (\S+) (\S+)", package.get("sourceInfo", ""))
        if source:
            release = re.search(r"distro=(\w*)", package["externalRefs"][0]["referenceLocator"])
            yield package["name"], package["versionInfo"], source[1], source[2], release[1] if release else ""


def outdated(packages):
    """What is said about them, and how many are in apt's lists."""
    found, listed = [], 0
    for name, version, _, _, _ in packages:
        newest, security = newest_in_lists(name)
        listed += newest is not None
        if newest is not None and is_newer(newest, version):
            found.append(f"{name} {version}: apt has {newest}{', which mends a security problem' if security else ''}; upgrade it")
    return found, listed


def open_problems(packages, tracker):
    for source, version, release in sorted({(source, version, release) for _, _, source, version, release in packages}):
        for number, problem in sorted(tracker.get(source, {}).items()):
            here = problem.get("releases", {}).get(release)
            if here is None or here.get("urgency") == "unimportant":
                continue
            fixed = here.get("fixed_version")
            if here.get("status") == "open":
                yield f"{source} {version}: {number} is open in {release}"
            elif here.get("status") == "resolved" and fixed not in (None, "0") and is_newer(fixed, version):
                yield f"{source} {version}: {number} is mended in {fixed}; upgrade it"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sbom", type=Path)
    parser.add_argument("--tracker", type=Path)
    options = parser.parse_args()
    packages = list(packages_of(json.loads(options.sbom.read_text(encoding="utf-8"))))
    found, listed = outdated(packages)
    if listed == 0:
        sys.stderr.write("audit.py: apt's lists have none of the packages; fetch them where there is a network: apt-get update\n")
        return 2
    if options.tracker:
        found += open_problems(packages, json.loads(options.tracker.read_text(encoding="utf-8")))
    for line in found:
        print(line)
    known = "by apt's lists" + (" and Debian's tracker" if options.tracker else "")
    unlisted = f", {len(packages) - listed} not in apt's lists" if listed < len(packages) else ""
    print(f"{len(packages)} packages, {len(found)} with something known {known}{unlisted}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
