import { BadRequest } from '../../errors.js';

/** Of the texts of one translation: each marker takes some two kilobytes until it is over. */
const MAX_MARKERS = 100_000;
/** Of all targets of terms that are put in, in UTF-16 units: as many as the longest text has. */
const MAX_TERM_CHARACTERS = 1_024 * 1_024;

/** What was found to become markers. */
export interface AddedMarkers {
  readonly markers?: number;
  /** Of targets of terms, in UTF-16 units. */
  readonly termCharacters?: number;
}

/** Counts what becomes markers of the texts of one translation; the two tags of a pair are two. */
export class MarkerCount {
  private count = 0;
  private termCharacters = 0;

  /**
   * @param onAdded told of each addition; may throw, where there is no room for more
   * @param field of the request that the texts came in
   */
  constructor(
    private readonly onAdded: (added: AddedMarkers) => void = () => undefined,
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
    this.onAdded({ markers: count });
  }

  /**
   * Counts terms of a glossary.
   * @param characters of their targets
   * @throws as `add` does
   */
  addTerms(count: number, characters: number): void {
    this.termCharacters += characters;
    if (this.termCharacters > MAX_TERM_CHARACTERS) {
      throw new BadRequest(
        `The terms of the glossary would be more than ${MAX_TERM_CHARACTERS.toLocaleString('en')} characters of the translation: send parts of the text.`,
        'glossary',
      );
    }
    this.add(count);
    this.onAdded({ termCharacters: characters });
  }
}
