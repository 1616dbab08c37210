#!/usr/bin/env python3
"""Writes what a build is made of, as SPDX 2.3: sbom.py BUILD -o FILE [--no-files].

Nothing is listed by hand: shared libraries are those that the loader finds for the program, headers those that the compiler
read (ninja keeps them), and both are told by the Debian package that they came in.
"""
import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path

SPDX_NAMES = {"Expat": "MIT", "zlib": "Zlib", "Zlib": "Zlib", "BSD-3-clause": "BSD-3-Clause", "BSD-3-Clause": "BSD-3-Clause",
              "Apache-2.0": "Apache-2.0", "Apache-2": "Apache-2.0", "MIT": "MIT"}  # of Debian's names for licences


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def owners(files):
    """The installed package of each file; files that belong to none are left out."""
    found = {}
    # The loader names a library by one path, the package by another (/lib is a link to /usr/lib).
    spellings = {}
    for file in files:
        real = os.path.realpath(file)
        for path in (file, real, file.removeprefix("/usr"), "/usr" + file, real.removeprefix("/usr")):
            spellings.setdefault(path, file)
    names = sorted(spellings)
    for i in range(0, len(names), 500):
        said = subprocess.run(["dpkg-query", "-S", *names[i:i + 500]], check=False, capture_output=True, text=True).stdout
        for line in said.splitlines():
            package, _, path = line.rpartition(": ")
            if path in spellings and not line.startswith("diversion"):
                found[spellings[path]] = package.split(",")[0].strip()
    return found


def loaded_libraries(program):
    return sorted({match[1] for match in re.finditer(r"(?:=> |^\s*)(/\S+)", output("ldd", program), re.M)})


def read_headers(build):
    """Headers outside of the sources that what is shipped was compiled with."""
    headers = set()
    wanted = False
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    ninja = re.search(r"^CMAKE_MAKE_PROGRAM:\w+=(.*)$", cache, re.M)[1]  # pip may have brought one of its own
    for line in output(ninja, "-C", str(build), "-t", "deps").splitlines():
        if not line.startswith(" "):
            wanted = line.startswith(("coppice/", "cli/"))
        elif wanted and line.strip().startswith("/usr/"):
            headers.add(line.strip())
    return sorted(headers)


def facts_of(package):
    form = "${binary:Package}\t${Version}\t${Architecture}\t${source:Package}\t${source:Version}\t${Homepage}"
    name, version, architecture, source, source_version, home = output("dpkg-query", "-W", "-f", form, package).split("\t")
    return {"name": name.split(":")[0], "version": version, "architecture": architecture, "source": source,
            "source_version": source_version, "home": home}


def licence_of(package):
    """That of most of its files, where Debian's copyright file can be read by machines and SPDX has a name for it."""
    path = Path("/usr/share/doc") / package / "copyright"
    text = path.read_text(encoding="utf-8", errors="replace") if path.exists() else ""
    stanza = re.search(r"^Files: *\*\s*?$(.*?)(?:\n\n|\Z)", text, re.M | re.S)
    name = stanza and re.search(r"^License: *(\S+)\s*$", stanza[1], re.M)
    return SPDX_NAMES.get(name[1], "NOASSERTION") if name else "NOASSERTION"


def distribution():
    text = Path("/etc/os-release").read_text(encoding="utf-8")
    fields = dict(re.findall(r'^(\w+)="?([^"\n]*)"?$', text, re.M))
    return fields.get("ID", "debian"), fields.get("VERSION_CODENAME", "")


def entry_of(facts):
    system, codename = distribution()
    licence = licence_of(facts["name"])
    return {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", facts["name"]), "name": facts["name"],
        "versionInfo": facts["version"], "downloadLocation": "NOASSERTION", "filesAnalyzed": False,
        "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION",
        "homepage": facts["home"] or "NOASSERTION",
        "sourceInfo": f"built from the source package {facts['source']} {facts['source_version']}",
        "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                          "referenceLocator": f"pkg:deb/{system}/{facts['name']}@{facts['version']}"
                                              f"?arch={facts['architecture']}&distro={codename}"}]}


def own_files(build):
    for path in (build / "bin" / "coppice", build / "lib" / "libcoppice.so"):
        if path.exists():
            data = path.read_bytes()
            yield {"SPDXID": f"SPDXRef-file-{path.name}", "fileName": f"./{path.relative_to(build)}",
                   "checksums": [{"algorithm": "SHA1", "checksumValue": hashlib.sha1(data).hexdigest()},
                                 {"algorithm": "SHA256", "checksumValue": hashlib.sha256(data).hexdigest()}],
                   "licenseConcluded": "Apache-2.0", "copyrightText": "NOASSERTION"}


def document(build, version, with_files):
    files = list(own_files(build))
    if not files:
        raise SystemExit(f"sbom: {build} holds no program; build it first: ./run build")
    files = files if with_files else []
    libraries = set(owners(loaded_libraries(build / "bin" / "coppice")).values())
    headers = set(owners(read_headers(build)).values()) - libraries
    own = {"SPDXID": "SPDXRef-coppice", "name": "coppice", "versionInfo": version, "downloadLocation": "NOASSERTION",
           "filesAnalyzed": False, "licenseConcluded": "Apache-2.0", "licenseDeclared": "Apache-2.0",
           "copyrightText": "NOASSERTION"}
    relations = [("SPDXRef-DOCUMENT", "DESCRIBES", own["SPDXID"])]
    relations += [(own["SPDXID"], "CONTAINS", file["SPDXID"]) for file in files]
    packages = [own]
    for names, kind in ((libraries, "DYNAMIC_LINK"), (headers, "BUILD_DEPENDENCY_OF")):
        for entry in (entry_of(facts_of(name)) for name in sorted(names)):
            packages.append(entry)
            ends = (own["SPDXID"], entry["SPDXID"])
            relations.append((ends[0], kind, ends[1]) if kind == "DYNAMIC_LINK" else (ends[1], kind, ends[0]))
    digest = hashlib.sha256(json.dumps([packages, files], sort_keys=True).encode()).hexdigest()
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    return {
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"coppice-{version}",
        "documentNamespace": f"https://coppice.invalid/spdx/coppice-{version}-{digest}",
        "creationInfo": {"created": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds)), "creators": ["Tool: coppice-sbom"]},
        "packages": packages, "files": files,
        "relationships": [{"spdxElementId": a, "relationshipType": kind, "relatedSpdxElement": b} for a, kind, b in relations]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("-o", dest="out", type=Path, required=True)
    parser.add_argument("--no-files", action="store_true", help="for a wheel, whose RECORD has their sums after they were repaired")
    options = parser.parse_args()
    lists = Path(__file__).resolve().parent.parent / "CMakeLists.txt"
    version = re.search(r"^project\(coppice VERSION ([0-9.]+)", lists.read_text(encoding="utf-8"), re.M)[1]
    made = document(options.build, version, not options.no_files)
    options.out.write_text(json.dumps(made, indent=1) + "\n", encoding="utf-8")
    print(f"{options.out}: {len(made['packages']) - 1} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main())
