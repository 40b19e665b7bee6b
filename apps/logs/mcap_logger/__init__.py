"""``pMcapLogger``: writes clouds and images to an MCAP file, which Foxglove opens."""

from steerageway.apps.logs.mcap_logger.app import McapLogger

__all__ = ["McapLogger"]
