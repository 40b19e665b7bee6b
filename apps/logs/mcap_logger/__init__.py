"""``pMcapLogger``: writes point clouds and images to an MCAP file, for Foxglove and datasets."""

from steerageway.apps.logs.mcap_logger.app import McapLogger

__all__ = ["McapLogger"]
