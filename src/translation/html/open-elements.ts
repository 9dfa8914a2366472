import {
  BLOCKS,
  BREAKOUTS,
  endedBy,
  INTEGRATION_POINTS,
  MATH_GLYPHS,
  NOT_IN_SELECT,
  SVG_TEXTS,
  TEXT_MODES,
  UNTOUCHED,
} from './html-elements.js';

/** The language that an element is of. */
type Namespace = 'html' | 'svg' | 'math';

/** An element that is open. */
export interface OpenElement {
  readonly name: string;
  readonly isBlock: boolean;
  /** Whether its text is translated. */
  readonly isTranslated: boolean;
  /** Whether nothing in it is translated, even if it says so. */
  readonly isUntouched: boolean;
  readonly namespace: Namespace;
  /** Whether what it holds is read by the rules of SVG and MathML. */
  readonly isForeign: boolean;
}

/** What the attributes of an element say. */
export interface ElementTraits {
  /** About its translation; undefined: nothing. */
  readonly translate: boolean | undefined;
  /** Whether it says that HTML is in it, as `annotation-xml` may. */
  readonly hasHtml: boolean;
}

const ROOT: OpenElement = {
  name: '',
  isBlock: true,
  isTranslated: true,
  isUntouched: false,
  namespace: 'html',
  isForeign: false,
};
const COLUMN_PARENTS: ReadonlySet<string> = new Set(['table', 'colgroup', 'caption']);
/** Where nothing foreign is open. */
const NOWHERE = -1;

/** The elements that are open at a place of a document, as a browser has them, malformed ones nearly so. Each step takes constant time. */
export class OpenElements {
  private readonly open: OpenElement[] = [];
  private readonly blocks: number[] = [];
  private readonly places = new Map<string, number[]>();
  /** Where SVG and MathML begin that is open. */
  private readonly foreignRoots: number[] = [];

  get current(): OpenElement {
    return this.open.at(-1) ?? ROOT;
  }

  get depth(): number {
    return this.open.length;
  }

  /** Whether an element of SVG or MathML is open. */
  get isInForeign(): boolean {
    return this.foreignRoots.length > 0;
  }

  /** Where a `select` is open. */
  private get select(): number {
    return this.places.get('select')?.at(-1) ?? NOWHERE;
  }

  /**
   * Whether parsers may read what follows a start tag in another way than it is read here: a text in one of them could be
   * the value of an attribute in another. Where SVG and MathML are as they should be it is not.
   */
  isStartDoubtful(name: string): boolean {
    const { current } = this;
    const isText = Object.hasOwn(TEXT_MODES, name);
    if (name === 'frameset') return true;
    // Behind one elsewhere, as in a template, parsers leave out most elements.
    if (name === 'col' && !COLUMN_PARENTS.has(current.name)) return true;
    if (this.select !== NOWHERE && NOT_IN_SELECT.has(name)) return true;
    if (!this.isInForeign) return false;
    if (!current.isForeign) return isText || MATH_GLYPHS.has(name);
    if (BREAKOUTS.has(name) || MATH_GLYPHS.has(name)) return true;
    if (name === 'svg' || name === 'math') return name !== current.namespace;
    return isText && !(current.namespace === 'svg' && SVG_TEXTS.has(name));
  }

  /** The same of an end tag: within SVG and MathML it ends an element of theirs, or the innermost of HTML; none around `select`. */
  isEndDoubtful(name: string): boolean {
    const place = this.places.get(name)?.at(-1);
    if (place !== undefined && place < this.select) return true;
    if (!this.isInForeign || this.current.name === name) return false;
    for (let at = this.open.length - 1; at >= 0; at -= 1) {
      const element = this.open[at];
      if (element?.namespace === 'html') return true;
      if (element?.name === name) return false;
    }
    return true;
  }

  /** Ends the elements that a start tag ends by itself. */
  endImplied(name: string): void {
    const ended = endedBy(name);
    for (let block = this.blocks.at(-1); block !== undefined; block = this.blocks.at(-1)) {
      // What is around SVG, MathML and `select` is not ended in them.
      if (
        block < Math.max(this.foreignRoots.at(-1) ?? NOWHERE, this.select) ||
        !ended.has(this.open[block]?.name ?? '')
      )
        break;
      this.popTo(block);
    }
  }

  toElement(name: string, { translate, hasHtml }: ElementTraits): OpenElement {
    const { isUntouched, isTranslated, isForeign } = this.current;
    const namespace = isForeign ? this.current.namespace : name === 'svg' || name === 'math' ? name : 'html';
    const untouched = isUntouched || (!isForeign && UNTOUCHED.has(name));
    return {
      name,
      isBlock: !isForeign && BLOCKS.has(name),
      isUntouched: untouched,
      isTranslated: !untouched && (translate ?? isTranslated),
      namespace,
      isForeign: namespace !== 'html' && !isIntegrationPoint(namespace, name, hasHtml),
    };
  }

  push(element: OpenElement): void {
    const places = this.places.get(element.name);
    if (places) places.push(this.open.length);
    else this.places.set(element.name, [this.open.length]);
    if (element.isBlock) this.blocks.push(this.open.length);
    if (element.namespace !== 'html' && !this.current.isForeign) this.foreignRoots.push(this.open.length);
    this.open.push(element);
  }

  /** Ends the element that an end tag ends, and those in it. An inline element does not end the blocks in it. */
  end(name: string): void {
    const place = this.places.get(name)?.at(-1);
    if (place === undefined) return;
    const isCrossing = !this.open[place]?.isBlock && (this.blocks.at(-1) ?? -1) > place;
    if (!isCrossing || this.current.isForeign) this.popTo(place);
  }

  private popTo(place: number): void {
    while (this.open.length > place) this.pop();
  }

  private pop(): void {
    const element = this.open.pop();
    if (!element) return;
    this.places.get(element.name)?.pop();
    if (element.isBlock) this.blocks.pop();
    if (this.foreignRoots.at(-1) === this.open.length) this.foreignRoots.pop();
  }
}

function isIntegrationPoint(namespace: 'svg' | 'math', name: string, hasHtml: boolean): boolean {
  return INTEGRATION_POINTS[namespace].has(name) || (namespace === 'math' && name === 'annotation-xml' && hasHtml);
}
