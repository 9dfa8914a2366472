import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { userMessage } from '../support/builders/chat-request.js';
import { KnowledgeProbe } from '../support/builders/knowledge.js';
import { onVectors } from '../support/servers/services.js';
import { SanitizedGateway } from '../support/servers/sanitized-gateway.js';
import { completion, json } from '../support/servers/scripted-backend.js';
import type { ReceivedRequest } from '../support/servers/scripted-backend.js';
import { embeddings } from '../support/servers/scripted-embedder.js';

const ADA = 'ada.lovelace@people.example.com';
const SENTENCE = `Write to ${ADA} for the keys of the cellar.`;
const QUESTION = `Who but ${ADA} has the keys of the cellar?`;

onVectors.describe('what a sanitizer policy keeps from models, of knowledge bases', () => {
  let sanitized: SanitizedGateway;
  let base: KnowledgeProbe;
  beforeAll(begin);
  afterAll(() => sanitized.close());

  it.each(['mask', 'pseudonymize'])(
    'does not reach them, while files are read, found and asked: %s',
    async (action) => {
      await sanitized.use([{ action }]);
      const [file] = await base.index({ [`${action}.txt`]: `${SENTENCE} This is ${action}.` });

      const [found] = await base.query(QUESTION);
      const { body } = await ask();

      expect(file).toMatchObject({ status: 'ready' });
      expect(found?.text).toContain(ADA);
      expect(sanitized.gateway.backend.requests.length).toBeGreaterThanOrEqual(4);
      expect(sanitized.sent).not.toContain(ADA);
      expect(body.choices[0].message.content.includes(ADA)).toBe(action === 'pseudonymize');
    },
  );

  it('comes back in the answer and is cited as it stands in the document, where it is pseudonymized', async () => {
    await sanitized.use([{ action: 'pseudonymize' }]);

    const { body } = await ask();

    expect(body.choices[0].message.content).toBe(`${SENTENCE} [1]`);
    expect(body.citations).toEqual([expect.objectContaining({ index: 1, quote: SENTENCE })]);
  });

  it('refuses a file, a query and a chat where it blocks', async () => {
    await sanitized.use([{ action: 'block' }]);

    const [file] = await base.index({ 'blocked.txt': `${SENTENCE} This is blocked.` });
    const query = await base.request('POST', '/query', { query: QUESTION });
    const chat = await ask();

    expect(file).toMatchObject({ status: 'failed', error: expect.stringContaining('policy') });
    expect([query.status, query.body.error.code, chat.status]).toEqual([422, 'content_blocked', 422]);
    expect(sanitized.sent).not.toContain(ADA);
  });

  async function begin(): Promise<void> {
    sanitized = await SanitizedGateway.start({ env: { KNOWLEDGE_EMBEDDING_MODEL: 'scripted' } });
    const { gateway } = sanitized;
    gateway.backend.byDefault = (request) =>
      request.path.endsWith('/embeddings') ? embeddings(request) : repeat(request);
    base = await KnowledgeProbe.create(gateway.platform, gateway.token);
  }

  function ask() {
    const body = { model: 'scripted', knowledgebase_id: base.id, top_k: 1, messages: [userMessage(QUESTION)] };
    return sanitized.gateway.post('/v1/knowledgebase/chat/completions', body);
  }
});

/** Answers with the first sentence of the first passage. */
function repeat({ body }: ReceivedRequest) {
  const passage = /n="1" from="[^"]*">\n(.*?\.) This/.exec(body.messages[0].content);
  return passage ? completion(`${passage[1]} [1]`) : json(400, { error: { message: 'no passage' } });
}
