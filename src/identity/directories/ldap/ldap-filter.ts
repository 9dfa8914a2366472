import { FilterParser } from 'ldapts';
import { DirectoryFailure } from './directory-failure.js';

/** A text as it stands for itself in a filter (RFC 4515, section 3). */
export function escapeFilterValue(text: string): string {
  return text.replaceAll(/[\\*()\0]/g, (character) => `\\${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/** A filter with each `{name}` in it replaced by a text that stands for itself. */
export function fillFilter(filter: string, name: string, text: string): string {
  return filter.replaceAll(`{${name}}`, () => escapeFilterValue(text));
}

/** @throws DirectoryFailure `settings` where it is none */
export function parseFilter(filter: string): ReturnType<typeof FilterParser.parseString> {
  try {
    return FilterParser.parseString(filter);
  } catch {
    throw new DirectoryFailure('settings', 'A filter is not valid (RFC 4515).');
  }
}
