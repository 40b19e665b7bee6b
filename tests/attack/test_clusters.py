"""A cluster's workers and its scheduler may be killed while they perform a sweep."""

from __future__ import annotations

import os
import signal
import socket
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from clusters import SWEEP, Cluster, blocks_in, end_of, sweeping, swept
from launches import TIMEOUT

from steerageway.bus import sleep, wall

pytestmark = [pytest.mark.process, pytest.mark.slow]
SEED = 38  # by which each part is killed once


def wait_for_blocks(folder: Path, number: int) -> None:
    """Wait until this number of programs performs a block of runs."""
    deadline = wall() + TIMEOUT
    while bool(blocks := len(blocks_in(folder))) != bool(number) or blocks < number:
        assert wall() < deadline
        sleep(0.1)


def test_a_block_ends_with_its_worker_and_a_lost_scheduler_gives_one_message(
    tmp_path: Path,
) -> None:
    (tmp_path / "sweep.yml").write_text(SWEEP.replace("200", "999999"))
    (place := tmp_path / "cluster").mkdir()
    with Cluster(place) as cluster:
        options = ("--scheduler", cluster.address)
        running = sweeping(tmp_path, tmp_path / "there", *options)
        wait_for_blocks(tmp_path, 2)
        for worker in cluster.workers:
            worker.kill()
        wait_for_blocks(tmp_path, 0)
        assert running.poll() is None
        cluster.scheduler.kill()
        assert end_of(running, tmp_path / "there") == 2
    output = (tmp_path / "said").read_text()
    assert "Traceback" not in output
    assert f"--scheduler {cluster.address}: connection lost" in output


@pytest.mark.parametrize("sent", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n" * 9])
def test_what_listens_and_is_no_scheduler_is_a_sentence(sent: bytes, tmp_path: Path) -> None:
    """It says nothing, or speaks another protocol."""
    (tmp_path / "sweep.yml").write_text(SWEEP)

    def serve() -> None:
        with suppress(OSError):  # until it is closed
            while True:
                accepted.append(server.accept()[0])
                accepted[-1].sendall(sent)

    accepted: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        Thread(target=serve, daemon=True).start()
        there = tmp_path / "there"
        assert end_of(sweeping(tmp_path, there, "--scheduler", address), there) == 2
        server.shutdown(socket.SHUT_RDWR)
    for one in accepted:
        one.close()
    output = (tmp_path / "said").read_text()
    assert "Traceback" not in output
    said = "no Dask scheduler answers there" if sent else "no answer of a Dask scheduler within"
    assert f"--scheduler {address}: {said}" in output


def test_a_sweep_on_a_stopped_cluster_can_be_interrupted(tmp_path: Path) -> None:
    (tmp_path / "sweep.yml").write_text(SWEEP.replace("200", "999999"))
    (place := tmp_path / "cluster").mkdir()
    with Cluster(place) as cluster:
        running = sweeping(tmp_path, tmp_path / "there", "--scheduler", cluster.address)
        wait_for_blocks(tmp_path, 2)
        for process in (cluster.scheduler, *cluster.workers):
            os.kill(process.pid, signal.SIGSTOP)
        running.send_signal(signal.SIGINT)
        assert end_of(running, tmp_path / "there") == 130
    assert "Traceback" not in (tmp_path / "said").read_text()
    wait_for_blocks(tmp_path, 0)


def test_a_sweep_of_which_driver_worker_and_scheduler_are_killed_has_the_table_of_one_left_alone(
    tmp_path: Path,
) -> None:
    found = swept(tmp_path, Random(SEED), 3, SWEEP.replace("200", "20"))
    assert found["wrong"] == ""
    assert sorted(found["killed"]) == ["driver", "scheduler", "worker"]
