import { isHidingStyle } from './hidden-style.js';

/** So much of the style sheets of a page is looked at, in UTF-16 units. */
const LONGEST = 512 * 1024;
/** Names that are kept. */
const NAMES = 10_000;
/** The longest list of selectors that is looked at. */
const SELECTOR_CHARACTERS = 10_000;

/** One class or id, and nothing else: what a longer selector means needs the whole page. */
const SIMPLE = /^(?:[a-z][\w-]*)?([.#])([\w-]+)$/i;

/** What the style sheets within a page hide, by class and by id; rules that hold for some screens alone are left out. */
export class HiddenRules {
  private readonly names = new Set<string>();

  /** Reads a style sheet. */
  read(sheet: string): void {
    const text = sheet.slice(0, LONGEST);
    let start = 0;
    while (this.names.size < NAMES) {
      const open = text.indexOf('{', start);
      if (open < 0) return;
      const selector = text
        .slice(start, open)
        .replace(/^[^]*;/, '')
        .trim();
      const isGroup = selector.startsWith('@');
      const close = isGroup ? endOfGroup(text, open) : text.indexOf('}', open);
      if (close < 0) return;
      if (!isGroup) this.add(selector, text.slice(open + 1, close));
      start = close + 1;
    }
  }

  /** Whether an element of this class, which may be several, and id is hidden. */
  hides(classes: string | null, id: string | null): boolean {
    if (this.names.size === 0) return false;
    if (id !== null && this.names.has(`#${id}`)) return true;
    return classes !== null && classes.split(/\s+/).some((name) => this.names.has(`.${name}`));
  }

  private add(selectors: string, declarations: string): void {
    if (selectors.length > SELECTOR_CHARACTERS || !isHidingStyle(declarations)) return;
    for (const selector of selectors.replace(/\/\*[^]*?\*\//g, '').split(',')) {
      const [, mark, name] = SIMPLE.exec(selector.trim()) ?? [];
      if (mark !== undefined && name !== undefined) this.names.add(mark + name);
    }
  }
}

/** Where a group such as `@media … { … }` ends; -1: nowhere. */
function endOfGroup(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    if (text[at] === '{') depth += 1;
    else if (text[at] === '}' && (depth -= 1) === 0) return at;
  }
  return -1;
}
