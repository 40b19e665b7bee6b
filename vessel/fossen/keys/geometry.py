"""Keys of ``geometry.yml``: main dimensions, centres, wind areas, and hull mesh."""

from __future__ import annotations

from steerageway.declarations.key import Keys
from steerageway.world.mesh import AXES

SHIP = ("clarke83", "osv")

panisim = Keys()
ours = Keys(ours=True)
ship = Keys(ours=True, models=SHIP)
clarke83 = Keys(ours=True, models=("clarke83",))
midship = Keys(ours=True, models=("clarke83", "mmg"))
osv = Keys(ours=True, models=("osv",))
navalvessel = Keys(ours=True, models=("navalvessel",))

LENGTH = panisim.number("length", "m", above=0).means("length between perpendiculars, or overall")
BREADTH = panisim.number("breadth", "m", usual="unknown", low=0).means("breadth at the waterline")
DEPTH = panisim.number("depth", "m", usual="draft", low=0).means("depth of the hull, keel to deck")
DRAFT = ours.number("draft", "m", usual="unknown", low=0).means("draught, waterline to keel")
FN = panisim.number("Fn", "", 0, low=0).means("Froude number that defines U where U is 0")
GYRATION = panisim.vector("gyration", "m", 3, usual="from inertia_matrix").means(
    "radii of gyration in roll, pitch and yaw, about CG"
)
POSITION = panisim.vector("position", "m", 3, 0).means("position in the drawing frame")
ORIENTATION = panisim.vector("orientation", "rad", 3, 0).means(
    "roll, pitch, yaw, rotations about z, then y, then x"
)
CO = panisim.section("CO", (POSITION, ORIENTATION), usual="the drawing frame").means(
    "origin and axes of BODY in the drawing frame"
)
CG = panisim.section("CG", (POSITION, ORIENTATION), usual="CO").means(
    "centre of gravity; its orientation is that of the axes of gyration"
)
CB = panisim.section("CB", (POSITION, ORIENTATION), usual="CO").means("centre of buoyancy")
GEOMETRY_FILE = panisim.file("geometry_file", ".gdf").means(
    "WAMIT mesh in metres, waterline at z = 0; for cross-flow sections"
)
FRONTAL_AREA = ours.number("frontal_area", "m²", 0, low=0).means("frontal area above water")
LATERAL_AREA = ours.number("lateral_area", "m²", 0, low=0).means("lateral area above water")
WIND_LENGTH = ours.number("length", "m", usual="length", above=0).means(
    "reference length of the yaw moment"
)
WIND_HEIGHT = ours.number("height", "m", usual="half of lateral_area / length", low=0).means(
    "height of the lateral area's centre above CO"
)
CX = ours.number("cx", "", 0.7, low=0).means("coefficient of the longitudinal force")
CY = ours.number("cy", "", 0.8, low=0).means("coefficient of the lateral force")
CN = ours.number("cn", "", 0.1).means("coefficient of the yaw moment")
AIR_DENSITY = ours.number("air_density", "kg/m³", 1.225, above=0).means("density of the air")
WIND = ours.section(
    "wind", (FRONTAL_AREA, LATERAL_AREA, WIND_LENGTH, WIND_HEIGHT, CX, CY, CN, AIR_DENSITY)
).means("wind loads")
MESH_FILE = ours.file("file", ".stl", ".obj", ".gdf", ".glb", ".gltf", usual="").means(
    "closed mesh of the hull, normals outward"
)
SCALE = ours.number("scale", "", 1, above=0).means("factor from the file's unit to metres")
MESH_AXES = ours.choice("axes", tuple(AXES), default="FRD").means(
    "directions of the file's x, y, z: F forward, R right, L left, D down, U up"
)
ORIGIN = ours.vector("origin", "m", 3, 0).means(
    "origin of the drawing frame in the mesh, in BODY's directions"
)
MESH_VOLUME = ours.number("volume", "m³", 0, low=0).means(
    "volume to which the mesh is scaled about its centroid; 0: not scaled"
)
MESH = ours.section("mesh", (MESH_FILE, SCALE, MESH_AXES, ORIGIN, MESH_VOLUME)).means(
    "hull mesh for hydrostatics by form"
)
OUTLINE = ours.rows("outline", "m", 2, usual="from length and breadth, or the mesh").means(
    "plan of the hull, corners [ahead, starboard], for contact with walls and boats"
)
BLOCK_COEFFICIENT = ship.number("block_coefficient", above=0, high=1).means("block coefficient C_b")
YAW_GYRATION = clarke83.number(
    "yaw_gyration", "m", usual="0.25 L; above 100 m 0.27 L", above=0
).means("radius of gyration in yaw")
X_G = midship.number("x_G", "m", 0).means("centre of gravity forward of CO")
WATERPLANE_COEFFICIENT = osv.number("waterplane_coefficient", above=0, high=1).means(
    "waterplane area coefficient C_w"
)
WATERPLANE_SLENDERNESS = osv.number("waterplane_slenderness", above=0).means(
    "longitudinal moment of the waterplane area over L^3 B / 12"
)
LCF = osv.number("LCF", "m").means("centre of flotation forward of CO")
DISPLACED_VOLUME = navalvessel.number("displaced_volume", "m³", above=0).means("displaced volume")
GM = navalvessel.number("GM", "m").means("transverse metacentric height")

KEYS = (
    *(LENGTH, BREADTH, DEPTH, DRAFT, FN, GYRATION, CO, CG, CB, GEOMETRY_FILE, WIND, MESH),
    OUTLINE,
    *(BLOCK_COEFFICIENT, YAW_GYRATION, X_G, WATERPLANE_COEFFICIENT, WATERPLANE_SLENDERNESS),
    *(LCF, DISPLACED_VOLUME, GM),
)
