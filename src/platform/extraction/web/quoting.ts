/** How forums, mails and newspapers name what they quote. */
const CLASSES: ReadonlySet<string> = new Set(
  'quote quotation blockquote block-quote pullquote pull-quote bbcode_quote gmail_quote'.split(' '),
);
/** The longest list of classes that is looked at, in UTF-16 units. */
const LONGEST = 1_000;

/** Whether an element with these attributes quotes, though it is neither `<blockquote>` nor `<q>`. */
export function quotesByConvention(attribute: (name: string) => string | null | undefined): boolean {
  if (attribute('role')?.trim().toLowerCase() === 'blockquote') return true;
  const classes = attribute('class')?.slice(0, LONGEST).toLowerCase().split(/\s+/) ?? [];
  return classes.some((name) => CLASSES.has(name));
}
