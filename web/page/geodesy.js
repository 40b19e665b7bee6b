// Latitude and longitude to metres from the datum, on the tangent plane of WGS84: for backgrounds of
// the map only; all other conversions are done by the server.

const A = 6378137; // semi-major axis, m
const E2 = 6.69437999014e-3; // eccentricity squared

const rad = (degrees) => (degrees * Math.PI) / 180;

function centred(lat, lon) {
  const n = A / Math.sqrt(1 - E2 * Math.sin(rad(lat)) ** 2);
  return [n * Math.cos(rad(lat)) * Math.cos(rad(lon)), n * Math.cos(rad(lat)) * Math.sin(rad(lon)), n * (1 - E2) * Math.sin(rad(lat))];
}

/** A function from (lat, lon) in degrees to [x, y] metres east and north of a datum {lat, lon}. */
export function plane(datum) {
  const origin = centred(datum.lat, datum.lon);
  const [sinLat, cosLat] = [Math.sin(rad(datum.lat)), Math.cos(rad(datum.lat))];
  const [sinLon, cosLon] = [Math.sin(rad(datum.lon)), Math.cos(rad(datum.lon))];
  return (lat, lon) => {
    const [dx, dy, dz] = centred(lat, lon).map((value, k) => value - origin[k]);
    return [-sinLon * dx + cosLon * dy, -sinLat * (cosLon * dx + sinLon * dy) + cosLat * dz];
  };
}
