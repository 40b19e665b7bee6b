"""Keys of ``inertia.yml``: mass, moments of inertia, added mass, payload."""

from __future__ import annotations

from steerageway.declarations.key import declared

NPS = ("npsauv",)

KEYS, (
    MASS, BUOYANCY_MASS, VOLUME, INERTIA_MATRIX, ADDED_MASS_MATRIX, PAYLOAD, PAYLOAD_MASS,
    PAYLOAD_POSITION, ACTS, I_X, I_Y, I_Z, I_XY, I_YZ, I_XZ,
) = declared("""
    mass [kg] > 0: mass of the vessel, without payload
    buoyancy_mass [kg] > 0 (mass): mass of the displaced water
    volume + [m³] > 0 (from buoyancy_mass): displaced volume, instead of buoyancy_mass
    inertia_matrix[6][6] [kg, kg m, kg m²] (from mass, CG and gyration): M_RB about CO
    added_mass_matrix[6][6] [kg, kg m, kg m²] (from derivatives, or hydra_file): M_A about CO
    payload +: payload, a point mass
        mass [kg] >= 0 = 0: mass of the payload
        position[3] [m] = 0: position of the payload
        acts trim|force|turned_trim: effect of the payload: trim of a floating vessel, or a force
    I_x + @navalvessel,npsauv [kg m²]: moment of inertia about x, at CO
    I_y + @npsauv [kg m²]: moment of inertia about y, at CO
    I_z + @navalvessel,npsauv [kg m²]: moment of inertia about z, at CO
    I_xy + @npsauv [kg m²]: product of inertia, at CO
    I_yz + @npsauv [kg m²]: product of inertia, at CO
    I_xz + @npsauv [kg m²]: product of inertia, at CO
""")  # fmt: skip
MOMENTS = (I_X, I_Y, I_Z, I_XY, I_YZ, I_XZ)
