"""A cluster's workers and its scheduler may be killed while they perform a sweep."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest
from clusters import SWEEP, Cluster, blocks_in, end_of, sweeping
from launches import TIMEOUT

from steerageway.bus import sleep, wall

pytestmark = [pytest.mark.process, pytest.mark.slow]


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
        assert end_of(running) == 2
    output = (tmp_path / "said").read_text()
    assert "Traceback" not in output
    assert f"--scheduler {cluster.address}: connection lost" in output


def test_a_sweep_on_a_stopped_cluster_can_be_interrupted(tmp_path: Path) -> None:
    (tmp_path / "sweep.yml").write_text(SWEEP.replace("200", "999999"))
    (place := tmp_path / "cluster").mkdir()
    with Cluster(place) as cluster:
        running = sweeping(tmp_path, tmp_path / "there", "--scheduler", cluster.address)
        wait_for_blocks(tmp_path, 2)
        for process in (cluster.scheduler, *cluster.workers):
            os.kill(process.pid, signal.SIGSTOP)
        running.send_signal(signal.SIGINT)
        assert end_of(running) == 130
    assert "Traceback" not in (tmp_path / "said").read_text()
    wait_for_blocks(tmp_path, 0)
