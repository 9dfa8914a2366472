import { TextMatcher } from '../../../src/sanitizer/matching/text-matcher.js';
import { maskOf, replaceMatches } from '../../../src/sanitizer/replacement.js';
import { lifeOf, request } from '../../crash/client.js';
import { ADMIN } from '../../crash/replica.js';
import type { ScenarioEnvironment } from '../../crash/scenario.js';
import type { TestBed } from '../../crash/test-bed.js';
import { CutAnswers, cutAnswer } from '../../support/cut-answers.js';
import type { ReadAnswer } from '../../support/cut-answers.js';
import { ALL_KINDS, scanPieces } from '../../support/matched-texts.js';
import { startScriptedBackend } from '../../support/scripted-backend.js';
import { makePersonalText } from '../sanitizer-matching/personal-texts.js';
import type { Proof, ProofOptions, Proven } from '../proof.js';

const TEXTS = 200;
const LONGEST = 60;
const MOST_PROBLEMS = 20;
const POLICIES = '/v1/admin/sanitizer/policies';
const WRITTEN = 'To <NAME>, not <EMAIL_99>!';

const matcher = new TextMatcher(ALL_KINDS);

/** What one way to an answer has to give. */
interface Expected {
  readonly content: string;
  readonly argument: string;
}

/** Personal strings in streamed answers are masked, and pseudonyms restored, wherever the stream is cut. */
export const sanitizerStreams: Proof = {
  name: 'sanitizer-streams',
  about: '200 personal strings are cut at every place of streamed answers, over each transport: none is told',
  run: async (bed: TestBed, { seed }: ProofOptions): Promise<Proven> => {
    const environment = await bed.openEnvironment('sanitizer-streams', 1, seed);
    const backend = await startScriptedBackend();
    try {
      backend.byDefault = cutAnswer;
      const site = await Site.start(environment, backend.url);
      const texts = chooseTexts(environment);
      await site.use('mask', 'output');
      const masked = await site.tryAll(texts, (text) => ({ pieces: text, expected: maskedTexts(text) }));
      await site.use('pseudonymize', 'input');
      const restored = await site.tryAll(texts, (text) => restoredTexts(text));
      await site.close();
      const report = `## Streams: seed ${seed}

| texts | what | streamed answers | told, or not as they should be |
| --- | --- | --- | --- |
| ${texts.length} | masked in answers | ${masked.answers} | ${masked.problems.length} |
| ${texts.length} | restored in answers | ${restored.answers} | ${restored.problems.length} |
`;
      return { report, problems: [...masked.problems, ...restored.problems].slice(0, MOST_PROBLEMS) };
    } finally {
      await environment.close();
      await backend.close();
    }
  },
};

/** A server with one policy, and clients on each transport. */
class Site {
  private constructor(
    private readonly answers: CutAnswers,
    private readonly send: (
      method: string,
      path: string,
      body?: object,
    ) => Promise<{ body: { data?: { id: string }[] } }>,
  ) {}

  static async start(environment: ScenarioEnvironment, backendUrl: string): Promise<Site> {
    const env = { OPENAI_BASE_URL: backendUrl };
    const { replicas } = await environment.replicas(await environment.upstream(), { env, count: 1 });
    const [replica] = replicas;
    if (!replica) throw new Error('No server runs.');
    const life = lifeOf(replica);
    const { body } = await request(life, 'POST', '/v1/auth/login', { body: ADMIN });
    const token: string = body.access_token;
    const send = (method: string, path: string, content?: object) =>
      request(life, method, path, { token, body: content });
    return new Site(new CutAnswers({ url: life.origin, token }), send);
  }

  /** Has one policy, with a rule of each kind. */
  async use(action: string, appliesTo: string): Promise<void> {
    const { body } = await this.send('GET', POLICIES);
    for (const { id } of body.data ?? []) await this.send('DELETE', `${POLICIES}/${id}`);
    const rules = ALL_KINDS.map((rule) => ({ ...rule, action, applies_to: appliesTo }));
    await this.send('POST', POLICIES, { name: 'Proof', rules });
  }

  /** Streams each text once for each place at which it can be cut and for each way. */
  async tryAll(
    texts: readonly string[],
    plan: (text: string) => { readonly pieces: string; readonly beside?: string; readonly expected: Expected },
  ): Promise<{ answers: number; problems: string[] }> {
    const problems: string[] = [];
    let answers = 0;
    for (const text of texts) {
      const { pieces: whole, beside, expected } = plan(text);
      for (let at = 0; at <= whole.length; at += 1) {
        const pieces = [whole.slice(0, at), whole.slice(at)];
        const read = await Promise.all(
          this.answers.ways.map(async ([name, ask]) => [name, await ask(pieces, beside)] as const),
        );
        answers += read.length;
        for (const [name, answer] of read) {
          const problem = problemOf(answer, expected);
          if (problem) problems.push(`${name}, ${JSON.stringify(text)} cut at ${at}: ${problem}`);
        }
      }
    }
    return { answers, problems };
  }

  close(): Promise<void> {
    return this.answers.close();
  }
}

function problemOf(answer: ReadAnswer, expected: Expected): string | undefined {
  if (answer.content !== expected.content) return `content ${JSON.stringify(answer.content)}`;
  if (answer.argument !== expected.argument) return `argument ${JSON.stringify(answer.argument)}`;
  return undefined;
}

function chooseTexts({ random }: ScenarioEnvironment): string[] {
  const texts = new Set<string>();
  while (texts.size < TEXTS) {
    const { text } = makePersonalText(random);
    if (text.length <= LONGEST) texts.add(text);
  }
  return [...texts];
}

function masked(text: string): string {
  return replaceMatches(scanPieces(matcher, [text]), (_found, { rules }) =>
    maskOf(ALL_KINDS[rules[0] ?? 0]?.kind ?? 'regex'),
  );
}

/** The arguments of a call are JSON: it is that text which is looked through. */
function maskedTexts(text: string): Expected {
  return { content: masked(text), argument: JSON.parse(masked(JSON.stringify(text))) };
}

function restoredTexts(text: string) {
  const { matches } = scanPieces(matcher, [text]);
  const [first] = matches;
  const kind = ALL_KINDS[first?.rules[0] ?? 0]?.kind ?? 'email';
  const original = text.slice(first?.start, first?.end);
  const name = `${kind.toUpperCase()}_1`;
  const expected = WRITTEN.replace('<NAME>', () => original);
  return { pieces: WRITTEN.replace('NAME', name), beside: text, expected: { content: expected, argument: expected } };
}
