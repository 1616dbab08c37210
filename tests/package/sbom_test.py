#!/usr/bin/env python3
"""What a build is made of is told as it is (tools/sbom.py), and what is known about it is found (tools/audit.py).

sbom_test.py BUILD; exit code 77: this is no Debian, or no ninja.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TOOLS = Path(__file__).resolve().parents[2] / "tools"
build = Path(sys.argv[1])
if not all(map(shutil.which, ("dpkg-query", "ninja", "ldd", "apt-cache"))) or not (build / "build.ninja").exists():
    print("skipped: packages of Debian and a build by ninja are needed")
    sys.exit(77)


def expect(what, message):
    if not what:
        sys.exit(f"failed: {message}")


def run(tool, *arguments):
    return subprocess.run([sys.executable, TOOLS / tool, *map(str, arguments)], check=False, capture_output=True, text=True)


with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "coppice.spdx.json"
    made = run("sbom.py", build, "-o", path)
    expect(made.returncode == 0, made.stderr)
    sbom = json.loads(path.read_text())

    expect(sbom["spdxVersion"] == "SPDX-2.3" and sbom["dataLicense"] == "CC0-1.0", "it is SPDX 2.3")
    ids = [item["SPDXID"] for item in sbom["packages"] + sbom["files"]]
    expect(len(ids) == len(set(ids)), "an id is given once")
    expect(all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", one) for one in ids), "ids are spelled as SPDX wants")
    for relation in sbom["relationships"]:
        for end in (relation["spdxElementId"], relation["relatedSpdxElement"]):
            expect(end in ids or end == "SPDXRef-DOCUMENT", f"{end} is there")
    linked = {r["relatedSpdxElement"] for r in sbom["relationships"] if r["relationshipType"] == "DYNAMIC_LINK"}
    needed = subprocess.run(["ldd", build / "bin" / "coppice"], check=True, capture_output=True, text=True).stdout
    for library, package in (("libz.so", "zlib1g"), ("libfmt.so", "libfmt"), ("libdnnl.so", "libdnnl"), ("libopenblas", "libopenblas")):
        if library in needed:
            expect(any(one.startswith(f"SPDXRef-{package}") for one in linked), f"{library} is told")
    names = {package["name"]: package for package in sbom["packages"]}
    for header in ("nlohmann-json3-dev", "librandom123-dev", "libcli11-dev"):
        expect(header in names, f"{header}, of headers alone, is told")
    version = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", "nlohmann-json3-dev"], check=True, capture_output=True, text=True).stdout
    expect(names["nlohmann-json3-dev"]["versionInfo"] == version, "with the version that is installed")

    # A tracker that knows of something open, something mended before and after this version, and something of another release.
    zlib = next(p for p in sbom["packages"] if p["name"].startswith("zlib1g"))
    source, mended = re.match(r"built from the source package (\S+) (\S+)", zlib["sourceInfo"]).groups()
    release = re.search(r"distro=(\w*)", zlib["externalRefs"][0]["referenceLocator"])[1]
    problems = {"CVE-1-OPEN": {release: {"status": "open"}}, "CVE-2-LATER": {release: {"status": "resolved", "fixed_version": "99:1"}},
                "CVE-3-BEFORE": {release: {"status": "resolved", "fixed_version": mended}},
                "CVE-4-ELSEWHERE": {"nowhere": {"status": "open"}},
                "CVE-5-MINOR": {release: {"status": "open", "urgency": "unimportant"}}}
    tracker = Path(folder) / "tracker.json"
    tracker.write_text(json.dumps({source: {name: {"releases": releases} for name, releases in problems.items()}, "other": {}}))
    audited = run("audit.py", path, "--tracker", tracker)
    expect(audited.returncode == 1, f"problems are a code of their own: {audited.stdout}{audited.stderr}")
    found = set(re.findall(r"CVE-\S+", audited.stdout))
    expect(found == {"CVE-1-OPEN", "CVE-2-LATER"}, f"found {found}")

    # What apt's lists know of is newer than a version from long ago.
    names["nlohmann-json3-dev"]["versionInfo"] = "0.1"
    path.write_text(json.dumps(sbom))
    lists = subprocess.run(["apt-cache", "madison", "nlohmann-json3-dev"], check=True, capture_output=True, text=True).stdout
    old = run("audit.py", path)
    expect(("nlohmann-json3-dev 0.1: apt has" in old.stdout) == bool(lists.strip()), old.stdout + old.stderr)

    # Without any lists nothing is known, which is no good news.
    nothing = Path(folder) / "apt.conf"
    nothing.write_text(f'Dir::State::lists "{folder}/none";\nDir::Cache::pkgcache "";\nDir::Cache::srcpkgcache "";\n')
    blind = subprocess.run([sys.executable, TOOLS / "audit.py", path], check=False, capture_output=True, text=True,
                           env=dict(os.environ, APT_CONFIG=str(nothing)))
    expect(blind.returncode == 2 and "apt-get update" in blind.stderr, f"{blind.returncode}: {blind.stdout}{blind.stderr}")
print("passed")
