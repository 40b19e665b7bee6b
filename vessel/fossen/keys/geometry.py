"""Keys of ``geometry.yml``: main dimensions, centres, wind areas, and hull mesh."""

from __future__ import annotations

from steerageway.world.key_declarations import Key, Kind
from steerageway.world.mesh import AXES

SHIP = ("clarke83", "osv")

LENGTH = Key("length", unit="m", above=0.0, meaning="length between perpendiculars, or overall")
BREADTH = Key("breadth", unit="m", usual="unknown", low=0.0, meaning="breadth at the waterline")
DEPTH = Key("depth", unit="m", usual="draft", low=0.0, meaning="depth of the hull, keel to deck")
DRAFT = Key(
    "draft", unit="m", usual="unknown", low=0.0, ours=True, meaning="draught, waterline to keel"
)
FN = Key("Fn", default=0.0, low=0.0, meaning="Froude number that defines U where U is 0")
GYRATION = Key(
    "gyration",
    Kind.VECTOR,
    "m",
    size=3,
    usual="from inertia_matrix",
    meaning="radii of gyration in roll, pitch and yaw, about CG",
)
POSITION = Key(
    "position",
    Kind.VECTOR,
    "m",
    default=(0.0,) * 3,
    size=3,
    meaning="position in the drawing frame",
)
ORIENTATION = Key(
    "orientation",
    Kind.VECTOR,
    "rad",
    default=(0.0,) * 3,
    size=3,
    meaning="roll, pitch, yaw, rotations about z, then y, then x",
)
CO = Key(
    "CO",
    Kind.SECTION,
    usual="the drawing frame",
    keys=(POSITION, ORIENTATION),
    meaning="origin and axes of BODY in the drawing frame",
)
CG = Key(
    "CG",
    Kind.SECTION,
    usual="CO",
    keys=(POSITION, ORIENTATION),
    meaning="centre of gravity; its orientation is that of the axes of gyration",
)
CB = Key("CB", Kind.SECTION, usual="CO", keys=(POSITION, ORIENTATION), meaning="centre of buoyancy")
GEOMETRY_FILE = Key(
    "geometry_file",
    Kind.FILE,
    usual="none",
    suffixes=(".gdf",),
    meaning="WAMIT mesh in metres, waterline at z = 0; for cross-flow sections",
)
FRONTAL_AREA = Key(
    "frontal_area", unit="m²", default=0.0, low=0.0, ours=True, meaning="frontal area above water"
)
LATERAL_AREA = Key(
    "lateral_area",
    unit="m²",
    default=0.0,
    low=0.0,
    ours=True,
    meaning="lateral area above water",
)
WIND_LENGTH = Key(
    "length",
    unit="m",
    usual="length",
    above=0.0,
    ours=True,
    meaning="reference length of the yaw moment",
)
WIND_HEIGHT = Key(
    "height",
    unit="m",
    usual="half of lateral_area / length",
    low=0.0,
    ours=True,
    meaning="height of the lateral area's centre above CO",
)
CX = Key("cx", default=0.7, low=0.0, ours=True, meaning="coefficient of the longitudinal force")
CY = Key("cy", default=0.8, low=0.0, ours=True, meaning="coefficient of the lateral force")
CN = Key("cn", default=0.1, ours=True, meaning="coefficient of the yaw moment")
AIR_DENSITY = Key(
    "air_density", unit="kg/m³", default=1.225, above=0.0, ours=True, meaning="density of the air"
)
WIND = Key(
    "wind",
    Kind.SECTION,
    usual="none",
    keys=(FRONTAL_AREA, LATERAL_AREA, WIND_LENGTH, WIND_HEIGHT, CX, CY, CN, AIR_DENSITY),
    ours=True,
    meaning="wind loads",
)
MESH_FILE = Key(
    "file",
    Kind.FILE,
    ours=True,
    suffixes=(".stl", ".obj", ".gdf", ".glb", ".gltf"),
    meaning="closed mesh of the hull, normals outward",
)
SCALE = Key(
    "scale", default=1.0, above=0.0, ours=True, meaning="factor from the file's unit to metres"
)
MESH_AXES = Key(
    "axes",
    Kind.CHOICE,
    default="FRD",
    choices=tuple(AXES),
    ours=True,
    meaning="directions of the file's x, y, z: F forward, R right, L left, D down, U up",
)
ORIGIN = Key(
    "origin",
    Kind.VECTOR,
    "m",
    default=(0.0,) * 3,
    size=3,
    ours=True,
    meaning="origin of the drawing frame in the mesh, in BODY's directions",
)
MESH_VOLUME = Key(
    "volume",
    unit="m³",
    default=0.0,
    low=0.0,
    ours=True,
    meaning="volume to which the mesh is scaled about its centroid; 0: not scaled",
)
MESH = Key(
    "mesh",
    Kind.SECTION,
    usual="none",
    keys=(MESH_FILE, SCALE, MESH_AXES, ORIGIN, MESH_VOLUME),
    ours=True,
    meaning="hull mesh for hydrostatics by form",
)
OUTLINE = Key(
    "outline",
    Kind.ROWS,
    "m",
    size=2,
    usual="from length and breadth, or the mesh",
    ours=True,
    meaning="plan of the hull, corners [ahead, starboard], for contact with walls and boats",
)
BLOCK_COEFFICIENT = Key(
    "block_coefficient", above=0.0, ours=True, models=SHIP, meaning="block coefficient C_b"
)
YAW_GYRATION = Key(
    "yaw_gyration",
    unit="m",
    usual="0.25 L; above 100 m 0.27 L",
    above=0.0,
    ours=True,
    models=("clarke83",),
    meaning="radius of gyration in yaw",
)
X_G = Key(
    "x_G",
    unit="m",
    default=0.0,
    ours=True,
    models=("clarke83",),
    meaning="centre of gravity forward of CO",
)
WATERPLANE_COEFFICIENT = Key(
    "waterplane_coefficient",
    above=0.0,
    ours=True,
    models=("osv",),
    meaning="waterplane area coefficient C_w",
)
WATERPLANE_SLENDERNESS = Key(
    "waterplane_slenderness",
    above=0.0,
    ours=True,
    models=("osv",),
    meaning="longitudinal moment of the waterplane area over L^3 B / 12",
)
LCF = Key(
    "LCF",
    unit="m",
    ours=True,
    models=("osv",),
    meaning="centre of flotation forward of CO",
)
DISPLACED_VOLUME = Key(
    "displaced_volume",
    unit="m³",
    above=0.0,
    ours=True,
    models=("navalvessel",),
    meaning="displaced volume",
)
GM = Key(
    "GM",
    unit="m",
    ours=True,
    models=("navalvessel",),
    meaning="transverse metacentric height",
)

KEYS = (
    *(LENGTH, BREADTH, DEPTH, DRAFT, FN, GYRATION, CO, CG, CB, GEOMETRY_FILE, WIND, MESH),
    OUTLINE,
    *(BLOCK_COEFFICIENT, YAW_GYRATION, X_G, WATERPLANE_COEFFICIENT, WATERPLANE_SLENDERNESS),
    *(LCF, DISPLACED_VOLUME, GM),
)
