/** What is used of the tree of a page. */
export interface DomNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly nodeValue: string | null;
  readonly textContent: string | null;
  readonly firstChild: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly parentNode: DomNode | null;
}

/** An element of it. */
export interface DomElement extends DomNode {
  readonly localName: string;
  readonly childNodes: Iterable<DomNode>;
  getAttribute(name: string): string | null;
  hasAttribute(name: string): boolean;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  querySelectorAll(selector: string): Iterable<DomElement>;
  appendChild(child: DomNode): void;
  replaceChild(child: DomNode, replaced: DomNode): void;
  remove(): void;
}

/** The tree. */
export interface DomDocument {
  readonly body: DomElement;
  createElement(name: string): DomElement;
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
}

/** The `nodeType` of an element. */
export const ELEMENT = 1;

/** The `nodeType` of a text. */
export const TEXT = 3;
