"""What a disk may hold after a loss of power, given what a program did to files (record.c).

Sure is only what was flushed: the bytes of a file by fsync of it, names in a directory by fsync of that directory. Of the rest
each write, rename, new name and removed name may have come to the disk or not, in any order, and a write in part or as zeros.
"""
import os
import shutil


class File:
    def __init__(self, content=b""):
        self.now, self.sure, self.writes = bytearray(content), bytes(content), []

    def write(self, offset, data):
        if offset > len(self.now):
            self.now.extend(bytes(offset - len(self.now)))
        self.now[offset:offset + len(data)] = data
        self.writes.append((offset, data))

    def truncate(self):
        del self.now[:]
        self.writes.append((0, None))

    def flush(self):
        self.sure, self.writes = bytes(self.now), []

    def after_loss(self, chance):
        """Its bytes, if the power went now."""
        how = chance.randrange(5)
        if how == 0 or not self.writes:
            return self.sure
        if how == 1:
            return bytes(self.now)
        content = bytearray(self.sure)
        kept = self.writes if how == 2 else [one for one in self.writes if chance.random() < 0.5]
        for number, (offset, data) in enumerate(kept):
            if data is None:
                del content[:]
                continue
            if how == 2 and number + 1 == len(kept):
                data = data[:chance.randrange(len(data) + 1)]
            if how == 4 and chance.random() < 0.5:
                data = bytes(len(data))
            if offset > len(content):
                content.extend(bytes(offset - len(content)))
            content[offset:offset + len(data)] = data
        return bytes(content)


class Folder:
    def __init__(self):
        self.now, self.sure = {}, {}


class Disk:
    """Follows a program's calls. `promised`: what must be there after a loss, since it was flushed, name and all."""

    def __init__(self, top):
        self.top = Folder()
        self.names = []  # changes that are not flushed: lists of (folder, name, what is there now or None)
        self.open = {}
        self.promised = {}
        self._load(self.top, top)

    def _load(self, folder, path):
        for entry in os.scandir(path):
            made = Folder() if entry.is_dir() else File(open(entry.path, "rb").read())
            folder.now[entry.name] = folder.sure[entry.name] = made
            if entry.is_dir():
                self._load(made, entry.path)

    def _place(self, path):
        folder = self.top
        *above, name = [part for part in path.split("/") if part != "."]
        for part in above:
            folder = folder.now[part]
        return folder, name

    def _change(self, *changes):
        for folder, name, new in changes:
            if new is None:
                folder.now.pop(name, None)
            else:
                folder.now[name] = new
        self.names.append(changes)

    def _flush_folder(self, folder):
        left = []
        for changes in self.names:
            if all(change[0] is not folder for change in changes):
                left.append(changes)
                continue
            apply_names(changes, lambda which: which.sure)
        self.names = left

    def step(self, words, data):
        what = words[0]
        if what == "open":
            file, create, truncate, append = map(int, words[1:5])
            path = data.decode()
            if path in (".", "./"):
                self.open[file] = [self.top, 0, False]
                return
            folder, name = self._place(path)
            if name not in folder.now:
                if not create:
                    raise ValueError(f"{path} was opened, but never made")
                self._change((folder, name, File()))
            there = folder.now[name]
            if truncate and isinstance(there, File):
                there.truncate()
            self.open[file] = [there, 0, bool(append)]
        elif what == "write":
            entry = self.open[int(words[1])]
            offset = len(entry[0].now) if entry[2] else entry[1]
            entry[0].write(offset, data)
            entry[1] = offset + len(data)
        elif what == "fsync":
            there = self.open[int(words[1])][0]
            if isinstance(there, File):
                there.flush()
            else:
                self._flush_folder(there)
            self._promise(self.top, "")
        elif what == "close":
            self.open.pop(int(words[1]), None)
        elif what == "rename":
            split = int(words[1])
            folder, name = self._place(data[:split].decode())
            target, new = self._place(data[split:].decode())
            self._change((target, new, folder.now[name]), (folder, name, None))
        elif what == "mkdir":
            self._change((*self._place(data.decode()), Folder()))
        elif what == "unlink":
            folder, name = self._place(data.decode())
            self.promised.pop(data.decode(), None)
            self._change((folder, name, None))

    def _promise(self, folder, path):
        """Whoever flushed a file and then its name in a directory may count on it, wherever that directory is."""
        for name, there in folder.now.items():
            if isinstance(there, Folder):
                self._promise(there, f"{path}{name}/")
            elif folder.sure.get(name) is there and not name.endswith(".tmp"):
                self.promised[f"{path}{name}"] = there.sure

    def after_loss(self, chance, top):
        """Lays what is left into the folder `top`, which is emptied first; returns what is missing of what was promised."""
        how = chance.randrange(4)
        kept = [one for one in self.names if how == 1 or (how > 1 and chance.random() < 0.5)]
        folders = {}

        def left(folder):
            return folders.setdefault(id(folder), dict(folder.sure))

        for changes in kept:
            apply_names(changes, left)
        shutil.rmtree(top, ignore_errors=True)
        found = {}

        def lay(folder, path, name):
            os.mkdir(path)
            for entry, there in left(folder).items():
                if isinstance(there, Folder):
                    lay(there, os.path.join(path, entry), f"{name}{entry}/")
                    continue
                found[f"{name}{entry}"] = content = there.after_loss(chance)
                with open(os.path.join(path, entry), "wb") as file:
                    file.write(content)

        lay(self.top, top, "")
        replaced = {f"{path}" for path in self.promised if self._replaced(path)}
        return [path for path, content in self.promised.items()
                if path not in found or (path not in replaced and not found[path].startswith(content))]

    def _replaced(self, path):
        folder, name = self._place(path)
        return folder.now.get(name) is not folder.sure.get(name)


def apply_names(changes, which):
    for folder, name, new in changes:
        if new is None:
            which(folder).pop(name, None)
        else:
            which(folder)[name] = new


def records(path):
    """(words, bytes) for each call."""
    data = path.read_bytes()
    at = 0
    while at < len(data):
        end = data.index(b"\n", at)
        words = data[at:end].decode().split()
        size = 0 if words[0] in ("fsync", "close") else int(words[-1])
        yield words, data[end + 1:end + 1 + size]
        at = end + 1 + size
