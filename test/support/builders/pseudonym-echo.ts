import { completion } from '../servers/scripted-backend.js';
import type { ReceivedRequest, Script } from '../servers/scripted-backend.js';

/** An address of mail, and another. */
export const ADA = 'ada@example.com';
/** The other. */
export const BOB = 'bob@example.com';
/** A pseudonym of an address of mail. */
export const PSEUDONYMS = /<EMAIL_\d+>/;

/** A model that repeats the last message. */
export function echo({ body }: ReceivedRequest): Script {
  return completion(String(body.messages.at(-1).content));
}

/** How models write the first pseudonym, and what the caller is to read then. */
export function spellings(): [written: string, read: string][] {
  return [
    ['<EMAIL_1>', ADA],
    ['<email_1>', ADA],
    ['&lt;EMAIL_1&gt;', ADA],
    ['\\u003cEMAIL_1\\u003e', ADA],
    ['**\\<EMAIL\\_1\\>**', `**${ADA}**`],
    ['[mail](mailto:%3CEMAIL_1%3E)', '[mail](mailto:ada%40example.com)'],
    ['>1_LIAME<', '>1_LIAME<'],
    [Buffer.from('<EMAIL_1>').toString('base64'), Buffer.from('<EMAIL_1>').toString('base64')],
    ['<EMAIL_7>', '<EMAIL_7>'],
  ];
}
