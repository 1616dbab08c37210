"""Disks that are full or broken."""
from faults import injected_predict, injected_report, injected_run
from ward import SEARCH

# How calls fail, and whether the program may.
KINDS = {"eio": True, "enospc": True, "eintr": False, "short": False}


def disk(ward):
    """Every call on files fails once: EIO, ENOSPC, EINTR, or fewer bytes than asked for."""
    ward.compile("inject.c", ward.library)
    most = ward.options.count or (12 if ward.options.quick else 10**9)
    for kind in ward.kinds(KINDS):
        for injected in (injected_run, injected_predict, injected_report):
            injected(ward, kind, KINDS[kind], most)
        injected_run(ward, kind, KINDS[kind], most, SEARCH)
