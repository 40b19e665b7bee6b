// Coordinate frames of the 3-D view. BODY is x forward, y starboard, z down; NED is north, east, down;
// the scene of three.js is east, up, south.

/**
 * Rotation from BODY to NED, R = Rz(psi) Ry(theta) Rx(phi) (Fossen 2021, equation 2.33).
 * @returns {number[][]} rows
 */
export function rotation(phi, theta, psi) {
  const [cphi, sphi] = [Math.cos(phi), Math.sin(phi)];
  const [cth, sth] = [Math.cos(theta), Math.sin(theta)];
  const [cpsi, spsi] = [Math.cos(psi), Math.sin(psi)];
  return [
    [cpsi * cth, -spsi * cphi + cpsi * sth * sphi, spsi * sphi + cpsi * cphi * sth],
    [spsi * cth, cpsi * cphi + sphi * sth * spsi, -cpsi * sphi + sth * spsi * cphi],
    [-sth, cth * sphi, cth * cphi],
  ];
}

/** A vector of NED [north, east, down] in the scene [x, y, z]. */
export const sceneOf = ([north, east, down]) => [east, -down, -north];

/**
 * The sixteen numbers, row by row, of the matrix that takes a vessel's BODY to the scene.
 * @param {object} ship x east, y north [m], depth [m], heading [deg], roll, pitch [rad]
 */
export function pose(ship) {
  const or0 = (value) => (Number.isFinite(value) ? value : 0);
  const [n, e, d] = rotation(or0(ship.roll), or0(ship.pitch), (or0(ship.heading) * Math.PI) / 180);
  const place = sceneOf([or0(ship.y), or0(ship.x), or0(ship.depth)]);
  return [...e, place[0], ...d.map((value) => -value), place[1], ...n.map((value) => -value), place[2], 0, 0, 0, 1];
}

/** Transform a point of BODY to the scene, [x, y, z]. */
export function placed(ship, point) {
  const m = pose(ship);
  return [0, 4, 8].map((row) => m[row] * point[0] + m[row + 1] * point[1] + m[row + 2] * point[2] + m[row + 3]);
}
