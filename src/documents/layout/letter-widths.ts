/** Widths of letters in common fonts with serifs and without, in parts of their size: between those of Times and Arial. */
const NARROW = /[iljtfrI.,:;'’|!()[\]/\s-]/;
const WIDE = /[mwMW@%—]/;
const CAPITAL = /[\p{Lu}&€$£]/u;

const WIDTHS = { narrow: 0.3, usual: 0.53, capital: 0.68, wide: 0.84 } as const;

/** About how wide a text is, from each of its units to the next, as places between 0 and 1 of its whole width. */
export function letterEdges(text: string): number[] {
  const edges = [0];
  let width = 0;
  for (const letter of text.split('')) {
    width += widthOf(letter);
    edges.push(width);
  }
  return width === 0 ? edges : edges.map((edge) => edge / width);
}

function widthOf(letter: string): number {
  if (NARROW.test(letter)) return WIDTHS.narrow;
  if (WIDE.test(letter)) return WIDTHS.wide;
  return CAPITAL.test(letter) ? WIDTHS.capital : WIDTHS.usual;
}
