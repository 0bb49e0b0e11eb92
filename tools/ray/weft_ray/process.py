"""One rank as a process of this machine: `weft train` with the variables by which ranks find each other."""
import ctypes
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import threading

# Those of launchers in which Ray itself may have been started: a rank would take itself for one of theirs.
FOREIGN = ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "WEFT_COMM_PORT")
PR_SET_PDEATHSIG = 1


def rank_environment(base, rank, size, address, port, more=None):
    """The environment of a rank. Ray limits OpenMP's threads in its workers; --threads has to do that for weft."""
    environment = {name: value for name, value in base.items() if name not in (*FOREIGN, "OMP_NUM_THREADS")}
    environment.update(more or {})
    environment.update(RANK=str(rank), WORLD_SIZE=str(size), MASTER_ADDR=address, MASTER_PORT=str(port))
    return environment


def find_program(program):
    """The path of weft on this machine: the one given, else the one in PATH."""
    found = shutil.which(program) or shutil.which("weft")
    if found is None:
        raise FileNotFoundError(f"{socket.gethostname()} has neither {program} nor weft in its PATH")
    return found


class RankProcess:
    """Ends with the process that started it, and in its own process group: a terminal's signals do not reach it."""

    def __init__(self, words, folder, environment, keep_output):
        if not pathlib.Path(folder).is_dir():
            raise FileNotFoundError(f"{socket.gethostname()} has no folder {folder}")
        library = ctypes.CDLL(None)

        def begin():
            os.setpgid(0, 0)
            library.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)

        out = subprocess.PIPE if keep_output else subprocess.DEVNULL
        self._process = subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=out,
                                         stderr=subprocess.PIPE, preexec_fn=begin)
        self._lock = threading.Lock()
        self._texts = {"out": bytearray(), "err": bytearray()}
        self._readers = [threading.Thread(target=self._read, args=(name, stream), daemon=True)
                         for name, stream in (("out", self._process.stdout), ("err", self._process.stderr)) if stream]
        for reader in self._readers:
            reader.start()

    @property
    def pid(self):
        return self._process.pid

    def _read(self, name, stream):
        with stream:
            while data := stream.read1(1 << 16):
                with self._lock:
                    self._texts[name] += data

    def poll(self):
        """Whether it has ended, its code, and what it has written since the last call."""
        code = self._process.poll()
        if code is not None:
            for reader in self._readers:
                reader.join()
        with self._lock:
            out, err = bytes(self._texts["out"]), bytes(self._texts["err"])
            self._texts = {"out": bytearray(), "err": bytearray()}
        return code is not None, code, out, err

    def send(self, number):
        if self._process.poll() is None:
            self._process.send_signal(number)
