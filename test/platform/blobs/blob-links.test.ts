import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { BlobLinks } from '../../../src/platform/blobs/blob-links.js';
import { SecretBox } from '../../../src/platform/crypto/secret-box.js';

const TARGET = { kind: 'knowledge_file', key: 'file_1', tenantId: 'ten_1', userId: 'usr_1' };
const links = new BlobLinks(new SecretBox(Buffer.alloc(32, 1)), 'https://ai.example.com');

describe('the address of a file', () => {
  afterEach(() => void jest.useRealTimers());

  it('is for one file and user', () => {
    const url = links.urlOf(TARGET);

    expect(url).toMatch(/^https:\/\/ai\.example\.com\/v1\/blobs\/[\w-]+$/);
    expect(links.open(segmentOf(url))).toEqual(TARGET);
  });

  it('tells nothing of them', () => {
    const sealed = Buffer.from(segmentOf(links.urlOf(TARGET)), 'base64url').toString('latin1');

    expect(sealed).not.toMatch(/file_1|ten_1|usr_1/);
  });

  it('holds for five minutes', () => {
    jest.useFakeTimers({ now: 0 });
    const sealed = segmentOf(links.urlOf(TARGET));

    jest.setSystemTime(5 * 60 * 1_000);
    expect(links.open(sealed)).toEqual(TARGET);
    jest.setSystemTime(5 * 60 * 1_000 + 1);
    expect(() => links.open(sealed)).toThrow('not any more');
  });

  it.each([
    ['nothing', ''],
    ['anything', 'AAAA'],
    ['a megabyte', 'A'.repeat(1_000_000)],
    ['that of another installation', segmentOf(new BlobLinks(new SecretBox(Buffer.alloc(32, 2))).urlOf(TARGET))],
    ['a changed one', changed(segmentOf(links.urlOf(TARGET)))],
  ])('is none where it is %s', (_what, sealed) => {
    expect(() => links.open(sealed)).toThrow('none of a file');
  });
});

function segmentOf(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}

function changed(sealed: string): string {
  return `${sealed.slice(0, -4)}${sealed.endsWith('AAAA') ? 'BBBB' : 'AAAA'}`;
}
