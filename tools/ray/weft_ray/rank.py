"""The Ray actor beside each rank."""
import os
import socket

import ray

from .process import RankProcess, find_program, rank_environment


class Rank:
    """Lives on the machine of its rank; its methods return at once."""

    def __init__(self):
        self._process = None

    def place(self):
        """The name and address of this machine, and a port that is free on it."""
        with socket.socket() as free:
            free.bind(("", 0))
            return socket.gethostname(), ray.util.get_node_ip_address(), free.getsockname()[1]

    def start(self, program, words, folder, rank, size, address, port, more):
        environment = rank_environment(os.environ, rank, size, address, port, more)
        self._process = RankProcess([find_program(program), *words], folder, environment, keep_output=rank == 0)
        return self._process.pid

    def poll(self):
        return self._process.poll()

    def send(self, number):
        self._process.send(number)
