"""Planning of paths through a map, around what stands and what moves."""

from steerageway.vessel.planning.planner import Mover, Plan, Planner, PlannerSettings

__all__ = ["Mover", "Plan", "Planner", "PlannerSettings"]
