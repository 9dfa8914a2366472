import TurndownService from 'turndown';
import { cleanText, cutText } from './clean-text.js';
import type { DomElement, DomNode } from './dom.types.js';
import { PAGE_LIMITS } from './web-page.types.js';

/** The Markdown of a part of a page. */
export function markdownOf(root: DomElement): string {
  return cutText(cleanText(service.turndown(root as never)).trim(), PAGE_LIMITS.characters);
}

const service = new TurndownService({
  headingStyle: 'atx',
  hr: '---',
  bulletListMarker: '-',
  codeBlockStyle: 'fenced',
});

// Cells of a row stand on one line; the first row is the head.
service.addRule('cell', {
  filter: ['td', 'th'],
  replacement: (content) => ` ${content.replace(/\s+/g, ' ').replace(/\|/g, '\\|').trim()} |`,
});
service.addRule('row', {
  filter: 'tr',
  replacement: (content, node) => {
    const row = node as unknown as DomElement;
    const cells = childrenOf(row).length;
    return `\n|${content.replace(/\n+/g, ' ')}${isFirstRow(row) ? `\n|${' --- |'.repeat(cells)}` : ''}`;
  },
});
service.addRule('section', {
  filter: ['thead', 'tbody', 'tfoot'],
  replacement: (content) => content,
});
service.addRule('table', {
  filter: 'table',
  replacement: (content) => `\n\n${content.trim()}\n\n`,
});
// A picture says what its description says; without one it says nothing.
service.addRule('picture', {
  filter: 'img',
  replacement: (_, node) => {
    const image = node as unknown as DomElement;
    const [text = '', url] = [
      image
        .getAttribute('alt')
        ?.replace(/[[\]\s]+/g, ' ')
        .trim(),
      image.getAttribute('src'),
    ];
    return text !== '' && url ? `![${text}](${url.replace(/[()\s]/g, encodeURIComponent)})` : '';
  },
});

function childrenOf(node: DomNode): DomNode[] {
  const children: DomNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.nodeName === 'TD' || child.nodeName === 'TH') children.push(child);
  }
  return children;
}

function isFirstRow(row: DomElement): boolean {
  let parent = row.parentNode;
  // The head, or the first body of a table without one.
  while (parent && parent.nodeName !== 'TABLE') parent = parent.parentNode;
  return parent !== null && firstRowIn(parent) === row;
}

function firstRowIn(node: DomNode): DomNode | undefined {
  for (let child = node.firstChild; child; child = child.nextSibling) {
    if (child.nodeName === 'TR') return child;
    const found = /^T(?:HEAD|BODY|FOOT)$/.test(child.nodeName) ? firstRowIn(child) : undefined;
    if (found) return found;
  }
  return undefined;
}
