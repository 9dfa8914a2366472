/** The longest declarations that are looked at, in UTF-16 units. */
const LONGEST = 2_000;

const ZERO = String.raw`0(?:\.0*)?(?:px|em|rem|pt|%|vh|vw)?(?:;|!|$)`;

/** Declarations, without blanks, by which nothing is seen of an element. */
const HIDING: readonly RegExp[] = [
  /(?:^|;)display:none/,
  /(?:^|;)visibility:(?:hidden|collapse)/,
  /(?:^|;)content-visibility:hidden/,
  new RegExp(`(?:^|;)opacity:${ZERO}`),
  new RegExp(`(?:^|;)(?:font-size|(?:max-)?(?:width|height)):${ZERO}`),
  /(?:^|;)font:[a-z]*0(?:px|em|rem|pt|%)?[/a-z]/,
  /(?:^|;)text-indent:-\d{3,}/,
  /(?:^|;)(?:left|right|top|bottom|margin-left|margin-top):-(?:(?:9\d\d|\d{4,})(?:\.\d+)?(?:px|pt)|\d{3,}(?:\.\d+)?(?:em|rem|vw|vh))/,
  /(?:^|;)clip:rect\((?:[01](?:px)?[, ]?){4}\)/,
  /(?:^|;)clip-path:(?:inset\((?:50|100)%|circle\(0)/,
  /(?:^|;)transform:(?:[a-z]+\([^)]*\))*scale[xy]?\(0(?:,|\))/,
  /(?:^|;)color:transparent/,
  // Struck out: it is seen, and taken back.
  /(?:^|;)text-decoration(?:-line)?:[^;]*line-through/,
];

/** A color by itself, not one that comes from elsewhere. */
const COLOR = /(?:^|;)color:(?!inherit|initial|unset|revert|currentcolor|var)([^;!]+)/;
const BACKGROUND = /(?:^|;)background(?:-color)?:([^;!]+)/;

/** Whether nothing is seen of an element with these declarations, such as `display: none`. */
export function isHidingStyle(declarations: string): boolean {
  const style = declarations
    .slice(0, LONGEST)
    .toLowerCase()
    .replace(/\/\*.*?\*\//gs, '')
    .replace(/\s+/g, '');
  if (style === '') return false;
  if (HIDING.some((hiding) => hiding.test(style))) return true;
  const color = COLOR.exec(style)?.[1];
  return color !== undefined && color === BACKGROUND.exec(style)?.[1];
}

/** Whether nothing is seen of an element with these attributes. */
export function isHiddenBy(attribute: (name: string) => string | null | undefined): boolean {
  const hidden = attribute('hidden');
  if (hidden !== null && hidden !== undefined) return true;
  if (attribute('aria-hidden')?.trim().toLowerCase() === 'true') return true;
  const style = attribute('style');
  return style !== null && style !== undefined && isHidingStyle(style);
}
