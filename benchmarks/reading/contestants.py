"""Each reads a csv file into what it works on: contestants.py NAME FILE LIBRARY prints seconds and the peak of memory."""

from __future__ import annotations

import ctypes
import json
import resource
import sys
import time
from collections.abc import Callable


def coppice(path: str, library: str) -> Callable[[], object]:
    read = ctypes.CDLL(library).coppice_table_read
    read.argtypes = [ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(ctypes.c_void_p)]
    table = ctypes.c_void_p()

    def call() -> object:
        if read(path.encode(), None, 0, ctypes.byref(table)) != 0:
            sys.exit("coppice could not read the file")
        return table

    return call


def polars(path: str, library: str) -> Callable[[], object]:
    import polars

    return lambda: polars.read_csv(path)


def duckdb(path: str, library: str) -> Callable[[], object]:
    import duckdb

    return lambda: duckdb.sql(f"create table numbers as select * from read_csv('{path}')")


def pandas(path: str, library: str) -> Callable[[], object]:
    import pandas

    return lambda: pandas.read_csv(path)


def lightgbm(path: str, library: str) -> Callable[[], object]:
    import lightgbm

    data = lightgbm.Dataset(path, params={"header": True, "label_column": "name:label", "verbose": -1})
    return data.construct


contestants = {one.__name__: one for one in (coppice, polars, duckdb, pandas, lightgbm)}

if __name__ == "__main__":
    name, file, shared_object = sys.argv[1:]
    call = contestants[name](file, shared_object)
    begun = time.perf_counter()
    kept = call()
    seconds = time.perf_counter() - begun
    print(json.dumps({"seconds": seconds, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}))
