import type { DomDocument } from './dom.types.js';

/** A page with so much text, in UTF-16 units, shows something without its scripts; with so little it may not. */
const ENOUGH = 200;
const NEXT_TO_NOTHING = 40;

const NEEDS_SCRIPTS = /java\s?script/i;

/** Where frameworks put what their scripts make. */
const MOUNTS = '#root, #app, #__next, #__nuxt, #___gatsby, #svelte, app-root, [ng-app], [data-reactroot]';

/** What a page says of its scripts; to be asked before these are removed. */
export function scriptSigns(document: DomDocument): { readonly hasScripts: boolean; readonly isShell: boolean } {
  const hasScripts = document.querySelector('script:not([type^="application/ld+json"])') !== null;
  const asks = [...document.querySelectorAll('noscript')].some(({ textContent }) =>
    NEEDS_SCRIPTS.test((textContent ?? '').slice(0, 2_000)),
  );
  const hasEmptyMount = [...document.querySelectorAll(MOUNTS)].some(
    ({ textContent }) => (textContent ?? '').trim() === '',
  );
  return { hasScripts, isShell: asks || hasEmptyMount };
}

/** Whether a page shows nothing without its scripts. @param text what a reader sees of it as it is */
export function isScriptOnly({ hasScripts, isShell }: ReturnType<typeof scriptSigns>, text: string): boolean {
  const { length } = text.trim();
  if (!hasScripts || length >= ENOUGH) return false;
  return isShell || length < NEXT_TO_NOTHING || NEEDS_SCRIPTS.test(text);
}
