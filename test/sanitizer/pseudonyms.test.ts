import { describe, expect, it } from '@jest/globals';
import { PseudonymRestorer } from '../../src/sanitizer/calls/pseudonym-restorer.js';
import { Pseudonyms } from '../../src/sanitizer/pseudonyms.js';

const ADA = 'ada@example.com';

describe('the pseudonyms of a conversation', () => {
  it.each([
    '<EMAIL_1>',
    'email_1',
    '\\u003cEMAIL_1\\u003e',
    '%3CEmail\\_1%3E',
    '< EMAIL _ 1 >',
    `${'x'.repeat(8_186)}<EMAIL_1>`,
    `${'x'.repeat(8_190)}<EMAIL_1>`,
  ])('do not have a number that a text of the request has: %s', (text) => {
    const pseudonyms = new Pseudonyms(['Hi', text]);

    expect(pseudonyms.replaceInPrompt('email', ADA)).toBe('<EMAIL_2>');
  });

  it('know kinds of several words, and no others', () => {
    const pseudonyms = new Pseudonyms(['CREDIT\\_CARD\\_1 EMAILS_1 E-MAIL_1 _1']);

    const given = [pseudonyms.replaceInPrompt('credit_card', '4'), pseudonyms.replaceInPrompt('email', ADA)];

    expect(given).toEqual(['<CREDIT_CARD_2>', '<EMAIL_1>']);
  });

  it('read a long request in parts, between which others have their turn', () => {
    const pseudonyms = new Pseudonyms([...Array.from({ length: 100_000 }, (_, at) => `<EMAIL_${at + 1}>`), ADA]);
    let parts = 0;

    for (; !pseudonyms.isReserved; parts += 1) pseudonyms.reserveNext();

    expect(parts).toBeGreaterThan(300);
    expect(pseudonyms.replaceInPrompt('email', ADA)).toBe('<EMAIL_100001>');
  });

  it('do not have a number in a later call that a text of an earlier one had', () => {
    const first = new Pseudonyms(['<EMAIL_1>']);
    first.reserveNext();
    const read = first.reserveInAnswer();
    for (const piece of ['Or <EM', 'AIL', '_2>?']) read(piece);

    const second = new Pseudonyms([], JSON.parse(JSON.stringify(first)));
    second.replaceInPrompt('email', ADA);
    const third = new Pseudonyms([], JSON.parse(JSON.stringify(second)));

    expect([...third.restorable]).toEqual([['EMAIL_3', ADA]]);
    expect(third.replaceInPrompt('email', 'bob@example.com')).toBe('<EMAIL_4>');
  });

  it('remember little of many numbers, and give none of them', () => {
    const first = new Pseudonyms([Array.from({ length: 5_000 }, (_, at) => `<EMAIL_${at + 2}>`).join(' ')]);
    while (!first.isReserved) first.reserveNext();

    const kept = JSON.stringify(first);

    expect(kept.length).toBeLessThan(100);
    expect(new Pseudonyms([], JSON.parse(kept)).replaceInPrompt('email', ADA)).toBe('<EMAIL_5002>');
  });

  it('are restored, and remembered, behind the largest number that a text has', () => {
    const first = new Pseudonyms([...Array.from({ length: 1_000 }, (_, at) => `<EMAIL_${at + 1}>`), '<EMAIL_9999999>']);
    while (!first.isReserved) first.reserveNext();

    const second = new Pseudonyms([], JSON.parse(JSON.stringify(first)));
    const given = second.replaceInPrompt('email', ADA);
    const third = new Pseudonyms([], JSON.parse(JSON.stringify(second)));

    expect(given).toBe('<EMAIL_10000000>');
    const answers = [second, third].map(({ restorable }) => new PseudonymRestorer(restorable, 'text').write(given));
    expect(answers).toEqual([ADA, ADA]);
  });
});
