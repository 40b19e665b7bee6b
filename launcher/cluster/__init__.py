"""One mission on the machines of a Dask cluster: ``--placement cluster``."""
