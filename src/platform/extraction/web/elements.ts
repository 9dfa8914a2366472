/** What nobody sees, or what is struck out: its page no longer says it. */
export const INVISIBLE: ReadonlySet<string> = new Set(
  'del s strike title script style template noscript iframe object embed head datalist noembed noframes svg annotation annotation-xml canvas audio video dialog'.split(
    ' ',
  ),
);

/** What begins and ends a block of text. */
export const BLOCKS: ReadonlySet<string> = new Set(
  'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol option p pre search section select summary table tbody tfoot thead tr ul'.split(
    ' ',
  ),
);

/** Elements without content. */
export const VOID: ReadonlySet<string> = new Set(
  'area base br col embed frame hr img input link meta param source track wbr'.split(' '),
);
