"""Disks that are full or broken."""
from faults import injected_predict, injected_train


def disk(ward):
    """Every call on files fails once: EIO, ENOSPC, EINTR, or fewer bytes than asked for."""
    ward.compile("inject.c", ward.library)
    most = ward.options.count or (12 if ward.options.quick else 10**9)
    for kind, may_fail in (("eio", True), ("enospc", True), ("eintr", False), ("short", False)):
        injected_train(ward, kind, may_fail, most)
        injected_predict(ward, kind, may_fail, most)
