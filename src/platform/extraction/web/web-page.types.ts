/** What a web page says. */
export interface WebPage {
  readonly title: string;
  /** Who has written it, as the page says it. */
  readonly byline: string | null;
  /**
   * What a reader sees of its main part, without what is hidden, control characters and halves of surrogate pairs: blocks
   * between blank lines, rows of tables as `a | b`. At most 1,048,576 UTF-16 units; what is beyond is left away.
   */
  readonly text: string;
  /** The same as Markdown, with as many units; its links are absolute. Empty where another form is wanted. */
  readonly markdown: string;
  /** HTML that is made of the Markdown, where that is wanted: what of the page is HTML is text in it. Else null. */
  readonly html: string | null;
  /** The primary subtag of BCP 47, such as `de`. */
  readonly language: string | null;
  readonly publishedAt: Date | null;
  /** Where it leads, in its order, each once; at most 500. */
  readonly links: readonly WebLink[];
  /** It shows nothing without its scripts, which are not executed. */
  readonly isScriptOnly: boolean;
}

/** A link of a page. */
export interface WebLink {
  /** http or https, without its fragment. */
  readonly url: string;
  /** At most 200 UTF-16 units. */
  readonly text: string;
}

/** In what form a page is wanted beside its text: Markdown takes a third more time, and HTML is made of it. */
export type PageForm = 'text' | 'markdown' | 'html';

/** A page, as the child is told of it; its bytes are the input. */
export interface WebPageTask {
  readonly url: string;
  readonly kind: 'html' | 'text';
  /** What the head of the answer says. */
  readonly charset: string | undefined;
  readonly form: PageForm;
  /** Its text alone is wanted, without a tree of its elements. */
  readonly isPlain: boolean;
}

/** What the child says of a page. */
export type ReadPage = Omit<WebPage, 'publishedAt'> & { readonly publishedAt: string | null };

/** What is read of a page at most. */
export const PAGE_LIMITS = {
  bytes: 8 * 1024 * 1024,
  /** Of elements in one another. */
  depth: 200,
  elements: 50_000,
  attributes: 200,
  /** UTF-16 units of its text, and of its Markdown. */
  characters: 1024 * 1024,
  titleCharacters: 500,
  bylineCharacters: 200,
  links: 500,
  linkCharacters: 200,
  urlCharacters: 2_048,
} as const;
