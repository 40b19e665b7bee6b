"""Controllers: from the helm's decisions to rudder, thrust and generalized forces."""
