import { BadRequest } from '../../errors.js';

/** Of the texts of one translation: each marker takes some two kilobytes until it is over. */
const MAX_MARKERS = 100_000;

/** Counts what becomes markers of the texts of one translation; the two tags of a pair are two. */
export class MarkerCount {
  private count = 0;

  /**
   * @param onAdded told of each addition; may throw, where there is no room for more
   * @param field of the request that the texts came in
   */
  constructor(
    private readonly onAdded: (count: number) => void = () => undefined,
    private readonly field?: string,
  ) {}

  /** @throws BadRequest where there are too many; what `onAdded` throws */
  add(count: number): void {
    this.count += count;
    if (this.count > MAX_MARKERS) {
      throw new BadRequest(
        `More than ${MAX_MARKERS.toLocaleString('en')} tags, placeholders, numbers and terms of the glossary cannot be translated together: send parts of the text.`,
        this.field,
      );
    }
    this.onAdded(count);
  }
}
