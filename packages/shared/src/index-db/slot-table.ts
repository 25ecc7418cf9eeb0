/**
 * Which slot an id has, in twelve bytes a slot or so where a Map takes forty. Danger: it keeps slots only, and asks whoever
 * made it for the id in one; an id may not be added twice.
 */

/** Of all places, at most one in so many is taken. */
const SPARSENESS = 2;
const FIRST_PLACES = 1024;

export class SlotTable {
  readonly #idOf: (slot: number) => number;
  /** Slots, each plus one; 0 is a free place. */
  #places: Uint32Array;
  #count = 0;

  /** @param expected ids that it has room for at once: making room takes long when there are many */
  constructor(idOf: (slot: number) => number, expected = 0) {
    this.#idOf = idOf;
    let places = FIRST_PLACES;
    while (places < expected * SPARSENESS) places *= 2;
    this.#places = new Uint32Array(places);
  }

  /** @returns -1 when the id has no slot */
  find(id: number): number {
    for (let place = this.#firstPlace(id); ; place = this.#next(place)) {
      const slot = (this.#places[place] as number) - 1;
      if (slot < 0 || this.#idOf(slot) === id) return slot;
    }
  }

  add(id: number, slot: number): void {
    if (++this.#count * SPARSENESS > this.#places.length) this.#widen();
    this.#put(id, slot);
  }

  byteLength(): number {
    return this.#places.byteLength;
  }

  #put(id: number, slot: number): void {
    let place = this.#firstPlace(id);
    while (this.#places[place] !== 0) place = this.#next(place);
    this.#places[place] = slot + 1;
  }

  #widen(): void {
    const slots = this.#places.filter((taken) => taken !== 0);
    this.#places = new Uint32Array(this.#places.length * 2);
    for (const taken of slots) this.#put(this.#idOf(taken - 1), taken - 1);
  }

  /** Ids come in runs: multiplied by a large odd number they are spread over all places. */
  #firstPlace(id: number): number {
    const spread = Math.imul(id, 0x9e3779b1);
    return (spread ^ (spread >>> 15)) & (this.#places.length - 1);
  }

  #next(place: number): number {
    return (place + 1) & (this.#places.length - 1);
  }
}
