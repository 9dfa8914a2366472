import { describe, expect, it } from '@jest/globals';
import { canonicalUrl, toPageUrl } from '../../../src/researcher/search/canonical-url.js';

const PAGE = 'https://example.com/a/b';

describe('the canonical address of a page', () => {
  it.each([
    ['upper case in scheme and host', 'HTTPS://Example.COM/a/b'],
    ['http', 'http://example.com/a/b'],
    ['the usual port', 'https://example.com:443/a/b'],
    ['the usual port of http', 'http://example.com:80/a/b'],
    ['a dot behind the host', 'https://example.com./a/b'],
    ['a fragment', 'https://example.com/a/b#part'],
    ['a slash at the end', 'https://example.com/a/b/'],
    ['empty segments', 'https://example.com//a///b'],
    ['dots in the path', 'https://example.com/x/../a/./b'],
    ['an index page', 'https://example.com/a/b/index.html'],
    ['an empty query', 'https://example.com/a/b?'],
    ['tracking parameters', 'https://example.com/a/b?utm_source=x&UTM_Medium=y&gclid=1&fbclid=2'],
    ['an encoded letter', 'https://example.com/%61/b'],
  ])('is the same with %s', (_what, url) => {
    expect(canonicalUrl(new URL(url))).toBe(PAGE);
  });

  it.each([
    ['another path', 'https://example.com/a/B'],
    ['another port', 'https://example.com:8443/a/b'],
    ['another host', 'https://www.example.com/a/b'],
    ['a parameter', 'https://example.com/a/b?id=1'],
    ['an encoded slash', 'https://example.com/a%2fb'],
  ])('is another one with %s', (_what, url) => {
    expect(canonicalUrl(new URL(url))).not.toBe(PAGE);
  });

  it.each([
    ['the order of parameters', '?b=2&a=1', '?a=1&b=2'],
    ['tracking between parameters', '?a=1&utm_id=3&b=2', '?a=1&b=2'],
    ['the case of encodings', '?a=%c3%bc', '?a=%C3%BC'],
  ])('leaves out %s', (_what, one, other) => {
    expect(canonicalUrl(new URL(PAGE + one))).toBe(canonicalUrl(new URL(PAGE + other)));
  });

  it('keeps the order of parameters of one name', () => {
    expect(canonicalUrl(new URL(`${PAGE}?a=2&a=1`))).toBe(`${PAGE}?a=2&a=1`);
  });

  it('is that of the host for its first page', () => {
    expect(canonicalUrl(new URL('http://example.com/'))).toBe('https://example.com');
  });
});

describe('the address of a page', () => {
  it.each([
    ['no URL', 'example.com'],
    ['another scheme', 'ftp://example.com/'],
    ['a script', 'javascript:alert(1)'],
    ['userinfo', 'https://user:secret@example.com/'],
    ['too many characters', `https://example.com/${'x'.repeat(2_048)}`],
    ['too many characters when encoded', `https://example.com/${'ü'.repeat(400)}`],
  ])('is none with %s', (_what, text) => {
    expect(toPageUrl(text)).toBeUndefined();
  });
});
