import { lineOf } from './clean-text.js';
import type { DomDocument } from './dom.types.js';
import { PAGE_LIMITS } from './web-page.types.js';
import type { WebLink } from './web-page.types.js';

/** Where a page leads, after its URLs were made absolute; not within itself. */
export function linksOf(document: DomDocument, url: string): WebLink[] {
  const own = withoutFragment(url);
  const links = new Map<string, WebLink>();
  for (const anchor of document.querySelectorAll('a[href]')) {
    if (links.size >= PAGE_LIMITS.links) break;
    const target = withoutFragment(anchor.getAttribute('href') ?? '');
    if (target === own || links.has(target)) continue;
    links.set(target, { url: target, text: lineOf(anchor.textContent, PAGE_LIMITS.linkCharacters) });
  }
  return [...links.values()];
}

function withoutFragment(url: string): string {
  return url.split('#', 1)[0] as string;
}
