import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { completeEvents, namedEventsOf, response } from '../support/builders/response-streams.js';
import { completion, stream, wholeStream } from '../support/servers/scripted-backend.js';
import type { Script } from '../support/servers/scripted-backend.js';
import type { AnyJson } from '../support/probes/any-json.js';
import { useGateway } from '../support/servers/use-servers.js';

const FOLDER = join(import.meta.dirname, '../fixtures/clients');

const recordings = readdirSync(FOLDER).map((file) => JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Recording);

describe('requests as clients have sent them', () => {
  const gateway = useGateway();

  describe.each(recordings.map((recording) => [titleOf(recording.client), recording] as const))(
    '%s',
    (_title, { requests }) => {
      const named = requests.map((request) => [featuresOf(request), request] as const);

      it.each(named)('%s', async (_features, request) => {
        gateway.backend.answer(answerTo(request));
        const { authorization: _authorization, ...headers } = request.headers;

        const answer = await gateway.platform.as(gateway.token).post(request.path, request.body, { headers });

        // False is what is meant without it.
        const { stream: _stream, ...members } = request.body;
        expect(answer.status).toBe(200);
        expect(gateway.backend.requests.at(-1)?.body).toMatchObject(members);
        const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body);
        expect(text).toContain(request.body.stream ? 'lo!' : 'Hello!');
        if (request.path === '/v1/responses') {
          expect(namedEventsOf(answer.body).at(-1)).toMatchObject({ type: 'response.completed' });
        } else if (request.body.stream) {
          expect(text).toMatch(/data: \[DONE\]\n\n$/);
        }
      });
    },
  );

  describe(titleOf('@instructor-ai/instructor'), () => {
    it('breaks by itself: sends an empty schema of its tool with zod 4', () => {
      const { requests } = recordings.find(({ client }) => client === '@instructor-ai/instructor') as Recording;

      expect(requests.flatMap(({ body }) => body.tools ?? []).map((tool) => tool.function.parameters)).toEqual([{}]);
    });
  });

  it('are those of the clients that are too heavy, or too old, to be installed for the tests', () => {
    expect(recordings.map(({ client }) => client).sort()).toEqual([
      '@instructor-ai/instructor',
      '@llamaindex/openai',
      'codex',
      'opencode',
    ]);
  });
});

/** The title of a row of `docs/clients.md`. */
function titleOf(name: string): string {
  const recording = recordings.find(({ client }) => client === name);
  return `${name} ${recording?.version} (recorded)`;
}

/** Such as `responses, streamed, with tools`. */
function featuresOf({ path, body }: RecordedRequest): string {
  const [, , ...names] = path.split('/');
  const features = [names.join(' ')];
  if (body.stream) features.push('streamed');
  if (body.tools?.length) features.push('with tools');
  if (body.response_format) features.push(`as ${body.response_format.type}`);
  const isToolResult = (item: { type?: string }) => item.type === 'function_call_output';
  if (Array.isArray(body.input) && body.input.some(isToolResult)) features.push('with the result of one');
  return features.join(', ');
}

function answerTo({ path, body }: RecordedRequest): Script {
  if (path === '/v1/responses') return body.stream ? stream(...completeEvents('Hel', 'lo!')) : response('Hello!');
  return body.stream ? stream(...wholeStream('Hel', 'lo!')) : completion('Hello!');
}

interface RecordedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: AnyJson;
}

/** What a client sent while it worked with this server; long texts are shortened. */
interface Recording {
  readonly client: string;
  readonly version: string;
  readonly requests: readonly RecordedRequest[];
}
