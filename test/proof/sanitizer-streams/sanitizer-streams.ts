import { TextMatcher } from '../../../src/sanitizer/matching/text-matcher.js';
import { maskOf, replaceMatches } from '../../../src/sanitizer/replacement.js';
import { lifeOf, request } from '../../crash/client.js';
import { ADMIN } from '../../crash/replica.js';
import type { ScenarioEnvironment } from '../../crash/scenario.js';
import type { TestBed } from '../../crash/test-bed.js';
import { CutAnswers, cutAnswer, promptIn } from '../../support/builders/cut-answers.js';
import { scanPieces } from '../../support/probes/matched-texts.js';
import { startScriptedBackend } from '../../support/servers/scripted-backend.js';
import type { ScriptedBackend } from '../../support/servers/scripted-backend.js';
import { PERSONAL_RULES } from '../sanitizer-matching/personal-strings.js';
import { ESCAPES, makePersonalText } from '../sanitizer-matching/personal-texts.js';
import type { PersonalText } from '../sanitizer-matching/personal-texts.js';
import { findAnswerProblem } from './answer-problem.js';
import type { Expected } from './answer-problem.js';
import type { Proof, ProofOptions, Proven } from '../proof.js';

const TEXTS = 200;
const LONGEST = 60;
const MOST_PROBLEMS = 20;
const POLICIES = '/v1/admin/sanitizer/policies';
const WRITTEN = 'To <NAME>, not <EMAIL_99>!';

const matcher = new TextMatcher(PERSONAL_RULES);

/** What a model is to write, and what has to become of it. */
interface Plan {
  readonly pieces: string;
  /** What the caller sends with it. */
  readonly beside?: string;
  readonly expected: Expected;
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
      const site = await Site.start(environment, backend);
      const texts = chooseTexts(environment);
      await site.use('mask', 'output');
      const masked = await site.tryAll(texts, planMasked);
      await site.use('pseudonymize', 'input');
      const restored = await site.tryAll(texts, planRestored);
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
    private readonly backend: ScriptedBackend,
    private readonly answers: CutAnswers,
    private readonly send: (
      method: string,
      path: string,
      body?: object,
    ) => Promise<{ body: { data?: { id: string }[] } }>,
  ) {}

  static async start(environment: ScenarioEnvironment, backend: ScriptedBackend): Promise<Site> {
    const env = { OPENAI_BASE_URL: backend.url };
    const { replicas } = await environment.replicas(await environment.upstream(), { env, count: 1 });
    const [replica] = replicas;
    if (!replica) throw new Error('No server runs.');
    const life = lifeOf(replica);
    const { body } = await request(life, 'POST', '/v1/auth/login', { body: ADMIN });
    const token: string = body.access_token;
    const send = (method: string, path: string, content?: object) =>
      request(life, method, path, { token, body: content });
    return new Site(backend, new CutAnswers({ url: life.origin, token }), send);
  }

  /** Has one policy, with a rule of each kind. */
  async use(action: string, appliesTo: string): Promise<void> {
    const { body } = await this.send('GET', POLICIES);
    for (const { id } of body.data ?? []) await this.send('DELETE', `${POLICIES}/${id}`);
    const rules = PERSONAL_RULES.map((rule) => ({ ...rule, action, applies_to: appliesTo }));
    await this.send('POST', POLICIES, { name: 'Proof', rules });
  }

  /** Streams each text once for each place at which it can be cut and for each way. */
  async tryAll(
    texts: readonly PersonalText[],
    plan: (text: PersonalText) => Plan,
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
          const problem = findAnswerProblem(answer, expected);
          if (problem) problems.push(`${name}, ${JSON.stringify(text.text)} cut at ${at}: ${problem}`);
        }
      }
      if (beside !== undefined && this.isTold(text)) problems.push(`${JSON.stringify(text.text)}: the model was told`);
      this.backend.reset();
    }
    return { answers, problems };
  }

  /** Whether a prompt that the model was sent has the personal string. */
  private isTold({ text, start, end }: PersonalText): boolean {
    return this.backend.requests.some((request) => promptIn(request).includes(text.slice(start, end)));
  }

  close(): Promise<void> {
    return this.answers.close();
  }
}

function chooseTexts({ random }: ScenarioEnvironment): PersonalText[] {
  const texts = new Map<string, PersonalText>();
  while (texts.size < TEXTS) {
    const personal = makePersonalText(random);
    if (personal.text.length <= LONGEST) texts.set(personal.text, personal);
  }
  return [...texts.values()];
}

function mask(text: string): string {
  return replaceMatches(scanPieces(matcher, [text]), (_found, { rules }) =>
    maskOf(PERSONAL_RULES[rules[0] ?? 0]?.kind ?? 'regex'),
  );
}

/**
 * The arguments of a call are JSON, with a name before the text: it is that which is looked through. What is spelled as
 * escapes is encoded twice in it, and not found.
 */
function planMasked(personal: PersonalText): Plan {
  const { text, spelling } = personal;
  const argument = spelling === ESCAPES ? undefined : textIn(mask(JSON.stringify({ text })));
  return { pieces: text, expected: { content: mask(text), argument, masked: personal } };
}

function textIn(json: string): string {
  const { text } = JSON.parse(json) as { text: string };
  return text;
}

function planRestored({ text, start, end }: PersonalText): Plan {
  const [first] = scanPieces(matcher, [text]).matches;
  const kind = PERSONAL_RULES[first?.rules[0] ?? 0]?.kind ?? 'email';
  const name = `${kind.toUpperCase()}_1`;
  const written = WRITTEN.replace('<NAME>', () => text.slice(first?.start, first?.end));
  const expected = { content: written, argument: written, restored: text.slice(start, end) };
  return { pieces: WRITTEN.replace('NAME', name), beside: text, expected };
}
