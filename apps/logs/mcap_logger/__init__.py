"""``pMcapLogger``: writes point clouds and images to an MCAP file, for Foxglove and datasets."""
