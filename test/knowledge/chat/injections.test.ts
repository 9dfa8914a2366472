import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { newFenceKey, readPassages } from '../../../src/inference/calls/passage-fence.js';
import { extractAnswer } from '../../../src/inference/builtin/extractive-answer.js';
import { groundMessages } from '../../../src/knowledge/chat/grounded-messages.js';

const INJECTIONS: string[] = JSON.parse(readFileSync('test/fixtures/injections.json', 'utf8'));
const LUNCH = 'Guests pay 7.20 euros for lunch.';
const MESSAGES = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'What do guests pay for lunch?' },
];

describe('instructions in documents', () => {
  it('are tried in fifty forms', () => {
    expect(new Set(INJECTIONS).size).toBe(50);
  });

  it.each(INJECTIONS)('stay in the fence of their passage, as they are: %j', (text) => {
    const passages = [text, LUNCH].map((content) => passageOf(content, text));

    const [system, ...others] = groundMessages(MESSAGES, passages, newFenceKey());

    const prompt = system?.content as string;
    expect(readPassages(prompt).map((passage) => passage.text)).toEqual([text, LUNCH]);
    expect(others).toEqual(MESSAGES.slice(1));
    const [head = ''] = prompt.split(/<passage-[a-z]{12} n="1"/);
    expect(outsideOfPassages(prompt)).toBe(`${head}FENCE\nFENCE\n`);
    expect(head).toMatch(/^Be brief\.\n\nAnswer the last question/);
  });

  it.each(INJECTIONS)('do not keep the builtin model from its answer, nor from citing it rightly: %j', async (text) => {
    const messages = groundMessages(
      MESSAGES,
      [text, LUNCH].map((content) => passageOf(content, 'a.txt')),
      newFenceKey(),
    );

    const answer = await extractAnswer(messages, new AbortController().signal);

    expect(answer).toContain(`${LUNCH} [2]`);
  });
});

function passageOf(text: string, filename: string) {
  return { chunkId: 'chk_1', fileId: 'file_1', filename, page: 1, headings: [filename], text, language: 'en' };
}

/** A prompt whose passages, fences included, are a word each. */
function outsideOfPassages(prompt: string): string {
  const key = /<passage-([a-z]{12}) n="1"/.exec(prompt)?.[1] ?? '';
  const lines = prompt.split('\n');
  const outside: string[] = [];
  let isInside = false;
  for (const line of lines) {
    if (line.startsWith(`<passage-${key} `)) isInside = true;
    if (!isInside) outside.push(line);
    if (line === `</passage-${key}>`) {
      isInside = false;
      outside.push('FENCE');
    }
  }
  return outside.join('\n');
}
