"""Makes the instrumented copy of the tree and builds its test programs."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from schemata import chosen, name, named, rendered

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = "data network training model run api ranks cli search analysis exports".split()
GCC_ONLY = ("-fstack-clash-protection", "-fcf-protection=full", "-Wshadow=local", "-fno-var-tracking")


def copied(work):
    """Files that differ are copied, so that a second build takes little."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True,
                           text=True).stdout.split("\n")
    tree = work / "tree"
    for name in (n for n in names if n and (ROOT / n).is_file()):
        write(tree / name, (ROOT / name).read_bytes())
        shutil.copymode(ROOT / name, tree / name)
    return tree


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists() or path.read_bytes() != content:
        path.write_bytes(content)


def with_runtime(tree, size):
    runtime = tree / "tools/mutants/runtime"
    define = f"#define COPPICE_MUTANTS_SIZE {size}\n".encode()
    header = define + (runtime / "mutants.h").read_bytes().replace(b"#pragma once\n", b"")
    guard = b"#ifndef COPPICE_MUTANTS_H\n#define COPPICE_MUTANTS_H\n" + header + b"#endif\n"
    write(tree / "mutants.h", guard)
    write(tree / "coppice/core/mutants.cpp", (runtime / "mutants.cpp").read_bytes())
    write(tree / "tests/cli/mutants.cpp", (runtime / "mutants.cpp").read_bytes())  # which do not link the library
    for program in PROGRAMS:
        write(tree / "tests" / program / "mutants_listener.cpp", (runtime / "listener.cpp").read_bytes())


def configured(tree, work, more):
    flags = f"-w -Wno-narrowing -include {tree / 'mutants.h'}"
    subprocess.run(["cmake", "-S", tree, "-B", work / "build", "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Dev", "-DCMAKE_CXX_FLAGS_DEV=-O1",
                    f"-DCMAKE_CXX_FLAGS={flags}", "-DCOPPICE_UNITY=ON", "-DCOPPICE_TESTS=ON", "-DCOPPICE_CUDA=off", "-DCOPPICE_MPI=off",
                    "-DCOPPICE_HARDENED=OFF", *more], check=True, stdout=subprocess.DEVNULL)


def commands(work, folders):
    """The translation units of these folders of coppice/, and the compiler's arguments for each."""
    for entry in json.loads((work / "build/compile_commands.json").read_text()):
        if not any(f"/CMakeFiles/coppice_{folder}.dir/" in entry["command"] for folder in folders):
            continue
        words = entry["command"].split()
        arguments = [w for w in words[1:] if w.startswith(("-I", "-D", "-std", "-f", "-isystem")) and w not in GCC_ONLY]
        for at, word in enumerate(words):
            if word in ("-isystem", "-include"):
                arguments += [word, words[at + 1]]
        yield entry["file"], arguments


def parsed(work, folders, say):
    import clang.cindex as cindex
    resource = "-resource-dir=" + subprocess.run(["clang-14", "-print-resource-dir"], check=True, capture_output=True,
                                                 text=True).stdout.strip()
    index = cindex.Index.create()
    units = list(commands(work, folders))
    for number, (file, arguments) in enumerate(units):
        say(f"reading {number + 1} of {len(units)}: {pathlib.Path(file).parent.parent.parent.name}/{pathlib.Path(file).name}")
        yield index.parse(file, args=[*arguments, resource, "-ferror-limit=0", "-w"])


def sources(tree, folders):
    return {str(p): (ROOT / p.relative_to(tree)).read_bytes() for folder in folders for p in sorted((tree / "coppice" / folder).glob("*"))
            if p.suffix in (".cpp", ".h")}


def all_places(tree, work, folders, say):
    from places import Finder
    finder = Finder(sources(tree, folders))
    for unit in parsed(work, folders, say):
        bad = [d for d in unit.diagnostics if d.severity >= 3]
        if bad:
            sys.exit(f"libclang cannot read this: {bad[0]}")
        finder.find(unit)
    return [dict(p, file=str(pathlib.Path(p["file"]).relative_to(tree))) for p in finder.places.values()]


def instrumented(tree, mutants):
    """Writes the sources with these mutants in them."""
    for file in sorted({str(p.relative_to(tree)) for p in tree.glob("coppice/*/*") if p.suffix in (".cpp", ".h") and (ROOT / p.relative_to(tree)).exists()}):
        source = (ROOT / file).read_bytes()
        here = [m for m in mutants if m["file"] == file]
        text = rendered(source, 0, len(source), here)
        missing = [m["number"] for m in here if f"::on({m['number']})" not in text]
        if missing:
            sys.exit(f"{file}: mutants overlap: {missing}")
        write(tree / file, text.encode())


def refused(tree, work, folders, say):
    """Lines of the instrumented sources that are no C++: (file, line)."""
    lines = set()
    for unit in parsed(work, folders, say):
        for d in unit.diagnostics:
            if d.severity >= 3 and d.location.file:
                lines.add((str(pathlib.Path(d.location.file.name).relative_to(tree)) if d.location.file.name.startswith(str(tree)) else d.location.file.name, d.location.line))
                for note in d.children:
                    if note.location.file and note.location.file.name.startswith(str(tree)):
                        lines.add((str(pathlib.Path(note.location.file.name).relative_to(tree)), note.location.line))
    return lines


def make(options, say):
    work = options.work.resolve()
    tree = copied(work)
    with_runtime(tree, options.count + 1)
    instrumented(tree, [])
    configured(tree, work, options.cmake)
    listed = work / "places.json"
    if listed.exists() and options.keep_places:
        places = json.loads(listed.read_text())
    else:
        places = all_places(tree, work, options.folders, say)
        listed.write_text(json.dumps(places, indent=0))
    say(f"{len(places)} possible mutants")
    out = work / "excluded.json"
    excluded = set(map(tuple, json.loads(out.read_text()))) if out.exists() and options.keep_places else set()
    places = named(places, {file: (ROOT / file).read_bytes() for file in {p["file"] for p in places}})
    for attempt in range(6):
        mutants = chosen([p for p in places if name(p) not in excluded], options.count, options.seed)
        for number, mutant in enumerate(mutants):
            mutant["number"] = number
        instrumented(tree, mutants)
        bad = refused(tree, work, options.folders, say)
        if not bad:
            break
        gone = {name(m) for m in mutants for file, line in bad if m["file"] == file and m["line"] <= line <= m["last"]}
        say(f"{len(gone)} mutants are no C++: others take their place")
        for m in mutants:
            if name(m) in gone:
                say(f"   {m['file']}:{m['line']} {m['kind']} {m['before'][:50]} -> {m['to'][:50]}")
        if not gone:
            sys.exit(f"the instrumented sources do not compile: {sorted(bad)[:5]}")
        excluded |= gone
        out.write_text(json.dumps(sorted(excluded)))
    (work / "mutants.json").write_text(json.dumps(mutants, indent=0) + "\n")
    head = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, check=True, capture_output=True, text=True)
    (work / "sources").write_text(head.stdout.strip())
    say(f"{len(mutants)} mutants; building")
    if not options.no_build:
        build(work, options, say)


def build(work, options, say):
    targets = [f"bin/test_{p}" for p in PROGRAMS if p in options.programs]
    done = subprocess.run(["nice", "ninja", "-C", work / "build", "-j", str(options.jobs), *targets], env=dict(os.environ))
    if done.returncode != 0:
        sys.exit("the build fails: see above")
