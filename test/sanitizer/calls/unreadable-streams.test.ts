import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../../support/probes/any-json.js';
import { completeEvents } from '../../support/builders/response-streams.js';
import { SanitizedGateway } from '../../support/servers/sanitized-gateway.js';
import { chunk, DONE, stream } from '../../support/servers/scripted-backend.js';

const PICTURE = randomBytes(600).toString('base64');
const BASE64 = PICTURE.match(/.{100}/g) ?? [];
const ADA = ['x ', 'data:text/plain;base64,ada', '@example.com'];

describe('texts of streams that look as if no rule could read them', () => {
  let calls: SanitizedGateway;

  beforeAll(async () => {
    calls = await SanitizedGateway.start({ backends: [{ supports: ['chat', 'responses'] }] });
  });
  afterAll(() => calls.close());

  it.each(['mask', 'pseudonymize'])('are read where they pass, wherever they are cut: %s', async (action) => {
    await calls.use([{ action, applies_to: 'output' }], { unreadable: 'pass' });

    const texts = await answersTo(calls, ADA);

    const masked = action === 'mask' ? '[EMAIL]' : '<EMAIL_1>';
    expect(texts.map(({ text }) => text)).toEqual([1, 2, 3].map(() => `x data:text/plain;base64,${masked}`));
  });

  it('are refused by a rule that refuses what they say', async () => {
    await calls.use([{ action: 'block', applies_to: 'output' }], { unreadable: 'pass' });

    const texts = await answersTo(calls, ADA);

    expect(texts.map(({ code }) => code)).toEqual([1, 2, 3].map(() => 'content_blocked'));
    expect(JSON.stringify(texts)).not.toContain('@example');
  });

  it('stay in their order behind what is held back', async () => {
    await calls.use([{ applies_to: 'output' }], { unreadable: 'pass' });

    const texts = await answersTo(calls, ['ada', 'data:;base64,AAAA', ' x']);

    expect(texts.map(({ text }) => text)).toEqual([1, 2, 3].map(() => 'adadata:;base64,AAAA x'));
  });

  it.each([
    ['a data URL', ['data:image/png;base64,', ...BASE64], 22],
    ['base64', BASE64, 256],
  ])('are refused where the policy says so, wherever they are cut: %s', async (_what, pieces, most) => {
    await calls.use([{ applies_to: 'output' }]);

    const texts = await answersTo(calls, pieces);

    expect(texts.map(({ code }) => code)).toEqual([1, 2, 3].map(() => 'content_blocked'));
    expect(Math.max(...texts.map(({ text }) => text.length))).toBeLessThanOrEqual(most);
  });
});

interface StreamedAnswer {
  readonly text: string;
  readonly code: unknown;
}

/** What comes of pieces as the content of a chat, as arguments of a call in it, and as the text of a response. */
async function answersTo({ gateway }: SanitizedGateway, pieces: readonly string[]): Promise<StreamedAnswer[]> {
  const args = (piece: string) => ({ tool_calls: [{ index: 0, function: { arguments: piece } }] });
  gateway.backend.answer(
    stream(...pieces.map((content) => chunk({ content })), chunk({}, 'stop'), DONE),
    stream(...pieces.map((piece) => chunk(args(piece))), chunk({}, 'stop'), DONE),
    stream(...completeEvents(...pieces)),
  );
  const chats = [await gateway.chat({ stream: true }), await gateway.chat({ stream: true })];
  const response = await gateway.respond({ stream: true });
  return [...chats, response].map(({ body }) => {
    // A stream that is refused before its first frame is no stream.
    const events = typeof body === 'string' ? dataOf(body) : [body as AnyJson];
    const code = events.map((each) => each.error?.code ?? each.code).find(Boolean);
    return { text: events.map(pieceOf).join(''), code };
  });
}

/** The data of every frame of an SSE text, whatever its name. */
function dataOf(text: string): AnyJson[] {
  return [...text.matchAll(/^(?:data|error): (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data) as AnyJson);
}

function pieceOf({ choices, delta }: AnyJson): string {
  const piece = choices?.[0]?.delta;
  return piece?.content ?? piece?.tool_calls?.[0]?.function?.arguments ?? delta ?? '';
}
