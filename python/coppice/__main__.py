"""``python -m coppice``: the program."""

from ._program import main

main()
