"""Import and export of vessels and plans: Panisim, HydRA, airfoil polars."""

from steerageway.vessel.exchange.config_json import Imported, left_out, read_config, write_config
from steerageway.vessel.exchange.named import missing_files, panisim_lacks
from steerageway.vessel.exchange.plan import Plan, Sailing, guidance_text, main_text, write_plan
from steerageway.vessel.exchange.uploads import add_hydra, add_naca

__all__ = [
    "Imported", "Plan", "Sailing", "add_hydra", "add_naca", "guidance_text", "left_out",
    "main_text", "missing_files", "panisim_lacks", "read_config", "write_config", "write_plan",
]  # fmt: skip
