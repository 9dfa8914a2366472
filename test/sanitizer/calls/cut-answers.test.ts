import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CutAnswers, cutAnswer } from '../../support/builders/cut-answers.js';
import { SanitizedGateway } from '../../support/servers/sanitized-gateway.js';

const KINDS = ['email', 'phone', 'credit_card', 'iban', 'ip', 'person_id'];
const TRANSPORTS = 3;

describe('streamed answers that are cut anywhere', () => {
  let calls: SanitizedGateway;
  let answers: CutAnswers;

  beforeAll(start);
  afterAll(async () => {
    await answers.close();
    await calls.close();
  });

  it.each(texts())('are masked on each transport, in content, arguments and named events: %j', async (text, masked) => {
    await calls.use(KINDS.map((kind) => ({ kind, applies_to: 'output' })));
    const problems: string[] = [];
    for (let at = 0; at <= text.length; at += 1) {
      const pieces = [text.slice(0, at), text.slice(at)];

      const read = await Promise.all(waysFor(at).map(async ([name, ask]) => [name, await ask(pieces)] as const));

      for (const [name, { content, argument }] of read) {
        if (content !== masked || argument !== masked) problems.push(`${name} at ${at}: ${content} / ${argument}`);
      }
    }

    expect(problems).toEqual([]);
  });

  it('have their originals restored wherever a pseudonym is cut', async () => {
    await calls.use([{ action: 'pseudonymize', applies_to: 'input' }]);
    const text = 'To <EMAIL_1>, not <EMAIL_9>!';
    const problems: string[] = [];
    for (let at = 0; at <= text.length; at += 1) {
      const pieces = [text.slice(0, at), text.slice(at)];

      const read = await Promise.all(
        waysFor(at).map(async ([name, ask]) => [name, await ask(pieces, 'ada@example.com')] as const),
      );

      for (const [name, { content, argument }] of read) {
        const expected = 'To ada@example.com, not <EMAIL_9>!';
        if (content !== expected || argument !== expected) problems.push(`${name} at ${at}: ${content} / ${argument}`);
      }
    }

    expect(problems).toEqual([]);
    expect(calls.sent).not.toContain('@example.com');
  });

  /** Transports take turns: how an answer is cut is found below them. The proof `sanitizer-streams` tries each on all. */
  function waysFor(cut: number) {
    return answers.ways.filter((_way, index) => index % TRANSPORTS === cut % TRANSPORTS);
  }

  async function start(): Promise<void> {
    calls = await SanitizedGateway.start({
      backends: [{ supports: ['chat', 'responses'] }],
      env: { RATE_LIMIT_REQUESTS_PER_MINUTE: '0' },
    });
    const { platform, token, backend } = calls.gateway;
    backend.byDefault = cutAnswer;
    answers = new CutAnswers({ url: platform.url, token });
  }
});

/** Texts, and what is left of them. */
function texts(): [text: string, masked: string][] {
  return [
    ['Mail ada.lovelace@example.co.uk, please', 'Mail [EMAIL], please'],
    ['Ring +49 30 901820 "now"', 'Ring [PHONE] "now"'],
    ['Pay with 4111-1111 1111 1111\nor not', 'Pay with [CREDIT_CARD]\nor not'],
    ['To DE89 3704 0044 0532 0130 00.', 'To [IBAN].'],
    ['From ２００１：db8::ff00:42:8329 on', 'From [IP] on'],
    ['SSN 536\u200b-90-4399 😀', 'SSN [PERSON_ID] 😀'],
    ['a&#64;b.example &amp; c', '[EMAIL] &amp; c'],
  ];
}
