/** Brackets that look square, or so much like it that a reader takes what is in them for a mark. */
export const OPENING_BRACKETS =
  '[\u2045\u2768\u2772\u27e6\u27ec\u298b\u298d\u298f\u2997\u2e22\u2e24\u2e55\u2e57\u3010\u3014\u3016\u3018\u301a' +
  '\ufe17\ufe39\ufe3b\ufe41\ufe43\ufe47\ufe5d\uff3b\u300c\u300e\uff62\u2308\u230a\u231c\u231e' +
  '\u23a1\u23a3';
/** Those of them that are quotation marks in other places: what they quote is left. */
export const QUOTING_BRACKETS = '\u300c\u300e\uff62\ufe41\ufe43';
/** Those that end what they begin. */
export const CLOSING_BRACKETS =
  ']\u2046\u2769\u2773\u27e7\u27ed\u298c\u298e\u2990\u2998\u2e23\u2e25\u2e56\u2e58\u3011\u3015\u3017\u3019\u301b' +
  '\ufe18\ufe3a\ufe3c\ufe42\ufe44\ufe48\ufe5e\uff3d\u300d\u300f\uff63\u2309\u230b\u231d\u231f' +
  '\u23a4\u23a6';

/** One of them. */
export const SQUARE_BRACKET = new RegExp(`[\\${OPENING_BRACKETS}\\${CLOSING_BRACKETS}]`, 'u');
/** All of them in a text. */
export const SQUARE_BRACKETS = new RegExp(SQUARE_BRACKET, 'gu');
