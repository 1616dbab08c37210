#!/usr/bin/env python3
"""Every C or C++ example in docs/ and README.md is one of examples/, which other tests build and run."""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
examples = [path.read_text() for path in (root / "examples").glob("*.c*")]
blocks = 0
wrong = []
for page in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
    for block in re.findall(r"^```(?:c|cpp)\n(.*?)^```", page.read_text(), re.M | re.S):
        blocks += 1
        if not any(block in text for text in examples):
            wrong.append(f"{page.name}: this is not in any of examples/:\n{block}")
print("\n".join(wrong) or f"{blocks} examples in the documentation are examples that run")
sys.exit(1 if wrong or blocks == 0 else 0)
