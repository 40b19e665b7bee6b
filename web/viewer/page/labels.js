// Places for labels on the map: greedy, the most important first, none over another.

const CELL = 64; // edge of the cells of the index of taken places [px]
const LETTER = 6.4; // approximate width of a letter [px]

/** The places that are taken by labels and vessels. */
export class Room {
  constructor() {
    this.cells = new Map();
  }

  /** Take a box {left, right, top, bottom} [px] if it is free; return whether it was. */
  take(box) {
    const keys = [...cellsOf(box)];
    if (keys.some((key) => this.cells.get(key)?.some((other) => overlap(box, other)))) return false;
    this.block(box, keys);
    return true;
  }

  /** Take a box in any case. */
  block(box, keys = cellsOf(box)) {
    for (const key of keys) {
      const cell = this.cells.get(key);
      if (cell) cell.push(box);
      else this.cells.set(key, [box]);
    }
  }
}

function* cellsOf({ left, right, top, bottom }) {
  for (let column = Math.floor(left / CELL); column <= right / CELL; column++) {
    for (let row = Math.floor(top / CELL); row <= bottom / CELL; row++) yield column * 65536 + row;
  }
}

const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

/** The box of a text at a place: align is left, center or right. */
export function boxOf(text, column, row, align = "left", letter = LETTER) {
  const width = letter * text.length;
  const left = column - { left: 0, center: width / 2, right: width }[align];
  return { left, right: left + width, top: row - 7, bottom: row + 7 };
}

/** The first free of several places [pixels right, pixels down, align] for a text, or null. */
export function place(room, text, column, row, places, letter) {
  return places.find(([dx, dy, align]) => room.take(boxOf(text, column + dx, row + dy, align, letter))) ?? null;
}
