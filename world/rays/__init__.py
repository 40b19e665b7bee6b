"""Rays: what a straight line meets first, among solids, planes, fields of heights and meshes.

Places and directions are NED [m]; directions have length 1. Solids, planes and fields are met
analytically; triangles are found by Embree in single precision, and their ranges recomputed in
double precision.
"""
