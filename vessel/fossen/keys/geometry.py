"""Keys of ``geometry.yml``: main dimensions, centres, wind areas, and hull mesh."""

from __future__ import annotations

from steerageway.declarations.key import declared
from steerageway.world.mesh import AXES

KEYS, (
    LENGTH, BREADTH, DEPTH, DRAFT, FN, GYRATION, CO, POSITION, ORIENTATION, CG, CB,
    GEOMETRY_FILE, WIND, FRONTAL_AREA, LATERAL_AREA, WIND_LENGTH, WIND_HEIGHT, CX, CY, CN,
    AIR_DENSITY, MESH, MESH_FILE, SCALE, MESH_AXES, ORIGIN, MESH_VOLUME, OUTLINE,
    BLOCK_COEFFICIENT, YAW_GYRATION, X_G, WATERPLANE_COEFFICIENT, WATERPLANE_SLENDERNESS, LCF,
    DISPLACED_VOLUME, GM,
) = declared(f"""
    length [m] > 0 <= 2000: length between perpendiculars, or overall
    breadth [m] >= 0 <= 2000 (unknown): breadth at the waterline
    depth [m] >= 0 <= 2000 (draft): depth of the hull, keel to deck
    draft + [m] >= 0 <= 2000 (unknown): draught, waterline to keel
    Fn >= 0 = 0: Froude number that defines U where U is 0
    gyration[3] [m] (from inertia_matrix): radii of gyration in roll, pitch and yaw, about CG
    CO (the drawing frame): origin and axes of BODY in the drawing frame
        position[3] [m] = 0: position in the drawing frame
        orientation[3] [rad] = 0: roll, pitch, yaw, rotations about z, then y, then x
    CG (CO): centre of gravity; its orientation is that of the axes of gyration
        position, orientation
    CB (CO): centre of buoyancy
        position, orientation
    geometry_file .gdf: WAMIT mesh in metres, waterline at z = 0; for cross-flow sections
    wind +: wind loads
        frontal_area [m²] >= 0 = 0: frontal area above water
        lateral_area [m²] >= 0 = 0: lateral area above water
        length [m] > 0 (length): reference length of the yaw moment
        height [m] >= 0 (half of lateral_area / length): height of the lateral area's centre above \
            CO
        cx >= 0 = 0.7: coefficient of the longitudinal force
        cy >= 0 = 0.8: coefficient of the lateral force
        cn = 0.1: coefficient of the yaw moment
        air_density [kg/m³] > 0 = 1.225: density of the air
    mesh +: hull mesh for hydrostatics by form
        file .stl .obj .gdf .glb .gltf required: closed mesh of the hull, normals outward
        scale > 0 = 1: factor from the file's unit to metres
        axes {'|'.join(AXES)} = FRD: directions of the file's x, y, z: F forward, R right, L left, \
            D down, U up
        origin[3] [m] = 0: origin of the drawing frame in the mesh, in BODY's directions
        volume [m³] >= 0 = 0: volume to which the mesh is scaled about its centroid; 0: not scaled
    outline[][2] + [m] (from length and breadth, or the mesh): plan of the hull, corners [ahead, \
        starboard], for contact with walls and boats
    block_coefficient + @clarke83,osv > 0 <= 1: block coefficient C_b
    yaw_gyration + @clarke83 [m] > 0 (0.25 L; above 100 m 0.27 L): radius of gyration in yaw
    x_G + @clarke83,mmg [m] = 0: centre of gravity forward of CO
    waterplane_coefficient + @osv > 0 <= 1: waterplane area coefficient C_w
    waterplane_slenderness + @osv > 0: longitudinal moment of the waterplane area over L^3 B / 12
    LCF + @osv [m]: centre of flotation forward of CO
    displaced_volume + @navalvessel [m³] > 0: displaced volume
    GM + @navalvessel [m]: transverse metacentric height
""")  # fmt: skip
