"""Keys of ``inertia.yml``: mass, moments of inertia, added mass, payload."""

from __future__ import annotations

from steerageway.declarations.key import Keys

NPS = ("npsauv",)

panisim = Keys()
ours = Keys(ours=True)
nps = Keys(ours=True, models=NPS)
naval = Keys(ours=True, models=("navalvessel", *NPS))

MASS = panisim.number("mass", "kg", above=0).means("mass of the vessel, without payload")
BUOYANCY_MASS = panisim.number("buoyancy_mass", "kg", usual="mass", above=0).means(
    "mass of the displaced water"
)
VOLUME = ours.number("volume", "m³", usual="from buoyancy_mass", above=0).means(
    "displaced volume, instead of buoyancy_mass"
)
INERTIA_MATRIX = panisim.matrix(
    "inertia_matrix", "kg, kg m, kg m²", 6, usual="from mass, CG and gyration"
).means("M_RB about CO")
ADDED_MASS_MATRIX = panisim.matrix(
    "added_mass_matrix", "kg, kg m, kg m²", 6, usual="from derivatives, or hydra_file"
).means("M_A about CO")
PAYLOAD_MASS = ours.number("mass", "kg", 0, low=0).means("mass of the payload")
PAYLOAD_POSITION = ours.vector("position", "m", 3, 0).means("position of the payload")
ACTS = ours.choice("acts", ("trim", "force", "turned_trim")).means(
    "effect of the payload: trim of a floating vessel, or a force"
)
PAYLOAD = ours.section("payload", (PAYLOAD_MASS, PAYLOAD_POSITION, ACTS)).means(
    "payload, a point mass"
)
I_X, I_Y, I_Z = (
    (naval if axis in "xz" else nps)
    .number(f"I_{axis}", "kg m²")
    .means(f"moment of inertia about {axis}, at CO")
    for axis in "xyz"
)
I_XY, I_YZ, I_XZ = (
    nps.number(f"I_{axes}", "kg m²").means("product of inertia, at CO")
    for axes in ("xy", "yz", "xz")
)
MOMENTS = (I_X, I_Y, I_Z, I_XY, I_YZ, I_XZ)

KEYS = (*(MASS, BUOYANCY_MASS, VOLUME, INERTIA_MATRIX, ADDED_MASS_MATRIX, PAYLOAD), *MOMENTS)
