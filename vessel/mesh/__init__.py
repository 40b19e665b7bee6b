"""A hull as a closed mesh of triangles: read, checked, cut by the water, and pressed upon by it."""
