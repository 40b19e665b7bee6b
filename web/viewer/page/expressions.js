// Expressions over plotted variables: "alpha:NAV_SPEED - alpha:NAV_SPEED@2" (of source 2), "rate(alpha:NAV_X)",
// "lowpass(alpha:NAV_SPEED, 5)". Operators are set off by blanks, as names may contain them.

import { combine, difference, lowpass, rate, unwrap } from "./signals.js";

const OPERATORS = {
  "+": [1, (a, b) => combine(a, b, (x, y) => x + y)],
  "-": [1, difference],
  "*": [2, (a, b) => combine(a, b, (x, y) => x * y)],
  "/": [2, (a, b) => combine(a, b, (x, y) => x / y)],
};
/** Functions: of a series, and of as many numbers as are named. */
const FUNCTIONS = { rate: [[], rate], lowpass: [["seconds"], lowpass], unwrap: [[], unwrap] };
export const HELP = "A variable, or an expression: a - b, a + b, a * b, a / b (with blanks), rate(a), lowpass(a, seconds), unwrap(a). NAME@2 is a variable of source 2.";

const isNumber = (token) => /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(token);

/**
 * Read an expression.
 * @param {string} text
 * @param {string} community of names without one
 * @returns {{text: string, names: string[], plain: boolean, of: function}} its canonical text; its variables;
 *   whether it is one variable; and its series, by a function that gives those of variables
 * Throws an Error that says what is expected.
 */
export function parse(text, community) {
  const reader = new Reader(text.match(/[(),]|[^\s(),]+/g) ?? [], community);
  const tree = reader.sum(1);
  if (reader.next !== undefined) throw new Error(`${text}: ${reader.next} is not expected here`);
  if (typeof tree === "number" || !reader.names.size) throw new Error(`${text}: expected a variable`);
  return { text: write(tree), names: [...reader.names], plain: typeof tree === "string", of: (get) => evaluate(tree, get) };
}

class Reader {
  constructor(tokens, community) {
    this.tokens = tokens;
    this.community = community;
    this.names = new Set();
  }

  get next() {
    return this.tokens[0];
  }

  /** Operators of a level and above: sums contain products. */
  sum(level) {
    if (level > 2) return this.factor();
    let left = this.sum(level + 1);
    while (OPERATORS[this.next]?.[0] === level) left = [this.tokens.shift(), left, this.sum(level + 1)];
    return left;
  }

  factor() {
    const token = this.tokens.shift();
    if (token === "(") return this.closed(this.sum(1));
    if (token === undefined || OPERATORS[token] || token === ")" || token === ",") throw new Error(`expected a variable${token ? ` before ${token}` : " at the end"}`);
    if (this.next === "(") return this.call(token);
    if (isNumber(token)) return Number(token);
    const name = token.includes(":") ? token : `${this.community}:${token}`;
    this.names.add(name);
    return name;
  }

  call(name) {
    if (!Object.hasOwn(FUNCTIONS, name)) throw new Error(`${name}: no such function; expected ${Object.keys(FUNCTIONS).join(", ")}`);
    this.tokens.shift();
    const inside = [this.sum(1)];
    if (typeof inside[0] === "number") throw new Error(`${name}(${inside[0]}): expected a variable`);
    for (const what of FUNCTIONS[name][0]) {
      const number = this.tokens.shift() === "," ? Number(this.tokens.shift()) : NaN;
      if (!(number > 0)) throw new Error(`${name}(variable, ${what}): expected ${what} above 0`);
      inside.push(number);
    }
    return this.closed([name, ...inside]);
  }

  closed(tree) {
    if (this.tokens.shift() !== ")") throw new Error("expected a ) for each (");
    return tree;
  }
}

function write(tree) {
  if (!Array.isArray(tree)) return String(tree);
  const [name, ...inside] = tree;
  if (!OPERATORS[name]) return `${name}(${inside.map(write).join(", ")})`;
  return inside.map((one) => (Array.isArray(one) && OPERATORS[one[0]] ? `(${write(one)})` : write(one))).join(` ${name} `);
}

function evaluate(tree, get) {
  if (typeof tree === "number") return tree;
  if (typeof tree === "string") return get(tree);
  const [name, ...inside] = tree;
  const act = OPERATORS[name]?.[1] ?? FUNCTIONS[name][1];
  return act(...inside.map((one) => evaluate(one, get)));
}

/** Split at the commas outside of parentheses. */
export function split(text) {
  let depth = 0;
  const parts = [""];
  for (const sign of text) {
    depth += (sign === "(") - (sign === ")");
    if (sign === "," && !depth) parts.push("");
    else parts[parts.length - 1] += sign;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}
