import { describe, expect, it } from '@jest/globals';
import { toFileName } from '../../../src/platform/text/file-name.js';

describe('the name of a file', () => {
  it.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\ada\\cv.docx', 'cv.docx'],
    ['a\u0000b\r\n.txt', 'ab.txt'],
    ['in\u202egpj.exe', 'ingpj.exe'],
    ['u\u0308ber.pdf', 'über.pdf'],
    ['..', 'file'],
    ['/', 'file'],
    ['', 'file'],
    ['.env', '.env'],
    ['\ud800.txt', '\ufffd.txt'],
  ])('%j is %j', (given, name) => {
    expect(toFileName(given)).toBe(name);
  });

  it('has 255 bytes at most, its extension included, and no half character', () => {
    const name = toFileName(`${'ü'.repeat(300)}.pdf`);

    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect(name).toMatch(/^ü+\.pdf$/);
  });
});
