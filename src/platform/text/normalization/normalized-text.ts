/** A text as it is searched, with the places in the original that its characters come from. */
export class NormalizedText {
  private readonly parts: string[] = [];
  private joined: string | undefined;
  private length = 0;
  /** For each stretch: where it begins here, where in the original, and the original's length if it is one unit. */
  private readonly starts: number[] = [];
  private readonly originals: number[] = [];
  private readonly unitLengths: number[] = [];

  /** The text that is searched. */
  get text(): string {
    this.joined ??= this.parts.length === 1 ? (this.parts[0] ?? '') : this.parts.join('');
    return this.joined;
  }

  /**
   * Adds a stretch that comes from a place of the original.
   * @param unitLength how long the original is where it may not be divided, as an entity may not; 0 where the characters
   *   are in the original as they are
   */
  add(text: string, original: number, unitLength = 0): void {
    if (text === '') return;
    this.starts.push(this.length);
    this.originals.push(original);
    this.unitLengths.push(unitLength);
    this.parts.push(text);
    this.length += text.length;
  }

  /** Answers where in the original the character at an index begins. */
  toOriginalStart(index: number): number {
    const part = this.find(this.starts, index);
    if (part < 0) return index;
    const original = this.originals[part] ?? 0;
    return this.unitLengths[part] === 0 ? original + index - (this.starts[part] ?? 0) : original;
  }

  /** Answers where in the original the character before an index ends. */
  toOriginalEnd(index: number): number {
    const part = this.find(this.starts, index - 1);
    if (part < 0) return index;
    const [original = 0, length = 0] = [this.originals[part], this.unitLengths[part]];
    return length === 0 ? original + index - (this.starts[part] ?? 0) : original + length;
  }

  /** Answers the index of the first character that begins at a place of the original or behind it. */
  toIndex(original: number): number {
    const part = this.find(this.originals, original);
    if (part < 0) return 0;
    const [start = 0, end = this.length] = [this.starts[part], this.starts[part + 1]];
    const offset = original - (this.originals[part] ?? 0);
    if (this.unitLengths[part] !== 0) return offset === 0 ? start : end;
    return Math.min(start + offset, end);
  }

  /** The last stretch that begins at or before a place. */
  private find(places: readonly number[], place: number): number {
    let [low, high] = [0, places.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((places[middle] ?? 0) <= place) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }
}
