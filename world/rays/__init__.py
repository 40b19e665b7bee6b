"""Ray casting: first intersection of rays with solids, planes, height fields and meshes.

Positions and directions are NED [m]; directions have length 1. Intersections with solids, planes
and fields are analytic; triangles are found by Embree in single precision, and their ranges are
recomputed in double precision.
"""
