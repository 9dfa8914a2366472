import { expect } from '@jest/globals';
import { micromark } from 'micromark';

/** The elements that the Markdown of a report may have. */
const ELEMENTS = new Set(['h2', 'p', 'hr', 'ol', 'li', 'code']);

/** Expects that a report's Markdown does nothing: no links, pictures or elements, and no addresses that become links, which are code. */
export function expectInert(markdown: string): void {
  const html = micromark(markdown, { allowDangerousHtml: true, allowDangerousProtocol: true });
  const elements = Array.from(html.matchAll(/<\/?([a-z][a-z\d]*)/gi), ([, name = '']) => name.toLowerCase());
  expect(elements.filter((name) => !ELEMENTS.has(name))).toEqual([]);
  expect(html).not.toContain('<pre');
  expect(html.replaceAll(/<code>[^<]*<\/code>/g, '')).not.toMatch(/(?:https?|ftp|mailto|javascript|data):|www\./i);
}
