// Session with the server: login by the token of the printed address, and JSON requests.

/** An error response of the server. */
export class Refused extends Error {
  constructor(message, status = 0) {
    super(message);
    this.status = status;
  }
}

/** Exchange the token in the address for a session cookie, and remove it from the address. */
export async function comeIn() {
  const token = location.hash.slice(1);
  if (!/^[\w-]{16,}$/.test(token)) return;
  const answer = await fetch("/session", { method: "POST", body: token });
  if (!answer.ok) throw new Refused("This token is not the server's; use the address that it printed.", answer.status);
  history.replaceState(null, "", location.pathname + location.search);
}

/** Fetch a response; throws the server's error, or other words if it gives none. */
export async function answered(path, options = {}, otherwise = "") {
  const answer = await fetch(path, options);
  if (answer.ok) return answer;
  const { error } = await answer.json().catch(() => ({}));
  throw new Refused(error ?? (otherwise || `The server answered with status ${answer.status}.`), answer.status);
}

/** Get a JSON document; or post one, or a Blob. */
export async function ask(path, body) {
  const json = { body: JSON.stringify(body), headers: { "Content-Type": "application/json" } };
  const answer = await answered(path, body === undefined ? {} : { method: "POST", ...(body instanceof Blob ? { body } : json) });
  const text = await answer.text();
  return text ? JSON.parse(text) : {};
}
