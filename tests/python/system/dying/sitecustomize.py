"""Loaded by Python itself in a command that something befalls: at the Nth step that changes anything.

A step is what the interpreter reports before it does it (PEP 578): a file opened for writing,
renamed, linked or removed, a lock taken, a program started, and each fsync.  Set are
``AI_KB_TEST_STEP``, the step's number, and ``AI_KB_TEST_ACT``: ``die`` by SIGKILL, ``fill PATH``
(with zeros, until the disk is full), ``lock PATH`` (nobody may write there any more), or
``tell PATH`` (write the names of all steps there).  ``AI_KB_TEST_SHIFT`` moves the clock by seconds.
"""

import contextlib
import os
import signal
import sys
import time

_STEPS = {
    "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.truncate", "os.symlink",
    "os.chmod", "fcntl.flock", "shutil.rmtree", "subprocess.Popen",
}  # fmt: skip
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_NOT_OURS = ("/dev/", "/proc/")


class _Fate:
    def __init__(self, at, act):
        self.at = at
        self.act, _, self.path = act.partition(" ")
        self.count = 0
        self.busy = False
        self.fsync = os.fsync

    def step(self, name, what=""):
        self.count += 1
        self.busy = True
        if self.act == "tell":
            descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            os.write(descriptor, f"{name} {what!r}\n".encode())
            os.close(descriptor)
        elif self.count == self.at:
            getattr(self, self.act)()
        self.busy = False

    def die(self):
        os.kill(os.getpid(), signal.SIGKILL)

    def lock(self):
        os.chmod(self.path, 0o500)

    def fill(self):
        descriptor = os.open(self.path, os.O_WRONLY | os.O_CREAT, 0o600)
        with contextlib.suppress(OSError):
            while os.write(descriptor, bytes(4096)):
                pass
        os.close(descriptor)

    def hear(self, event, args):
        if self.busy:
            return
        if event in _STEPS:
            self.step(event, args[0] if args else "")
        elif event == "open" and isinstance(args[0], (str, bytes)):
            path, mode, flags = os.fsdecode(args[0]), args[1] or "", args[2] or 0
            writes = flags & _WRITES if isinstance(flags, int) else set(mode) & set("wax+")
            if writes and not path.startswith(_NOT_OURS) and ".pyc" not in path:
                self.step("open", path)

    def counted_fsync(self, descriptor):
        self.step("fsync")
        self.fsync(descriptor)


def _shift(seconds):
    real_time, real_ns, local = time.time, time.time_ns, time.localtime
    strftime = time.strftime
    time.time = lambda: real_time() + seconds
    time.time_ns = lambda: real_ns() + seconds * 1_000_000_000
    time.localtime = lambda when=None: local(real_time() + seconds if when is None else when)
    time.strftime = lambda form, when=None: strftime(form, when or time.localtime())


if _at := os.environ.get("AI_KB_TEST_STEP"):
    _fate = _Fate(int(_at), os.environ["AI_KB_TEST_ACT"])
    os.fsync = _fate.counted_fsync
    sys.addaudithook(_fate.hear)
if _seconds := os.environ.get("AI_KB_TEST_SHIFT"):
    _shift(int(_seconds))
