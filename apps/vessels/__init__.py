"""The simulators of vessels, and what they meet: drift, wormholes, obstacles, fences."""
