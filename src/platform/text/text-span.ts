/** A part of a text, in UTF-16 units: from `start` up to, and without, `end`. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}
