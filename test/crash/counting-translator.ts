import { setTimeout as sleep } from 'node:timers/promises';
import { completion, heldUntil, startScriptedBackend } from '../support/servers/scripted-backend.js';
import type { ReceivedRequest, ScriptedBackend } from '../support/servers/scripted-backend.js';
import { textsOf, toGerman, translating } from '../support/builders/translating-model.js';
import { failOn, wrongCounters } from './ledger-check.js';
import { sentenceIndex } from './documents-to-translate.js';
import type { Query } from './servers.js';

/** Each answer takes so long, so that kills come in the middle of some. */
export const ANSWER_MS = 60;
/** Four batches at once, of four calls each. */
const CALLS_AT_ONCE = 16;

interface CallRow {
  readonly state: string;
  readonly outcome: string | null;
  readonly prompt: number;
  readonly completion: number;
}

/** A chat model that translates the same always alike, and tells other numbers of tokens in each of its answers. */
export class CountingTranslator {
  /** The sentences of each request, in the order of their arrival. */
  readonly asked: (readonly number[])[] = [];
  /** Told of each request when it comes. */
  onRequest: () => void = () => undefined;

  private constructor(private readonly backend: ScriptedBackend) {
    backend.byDefault = (request) => this.answer(request);
  }

  static async start(): Promise<CountingTranslator> {
    return new CountingTranslator(await startScriptedBackend());
  }

  get url(): string {
    return this.backend.url;
  }

  close(): Promise<void> {
    return this.backend.close();
  }

  /**
   * Compares the ledger with what was asked, when all calls are settled.
   * @param kills of the server; each may leave calls whose requests have not come, or whose answers were lost
   * @throws Error that lists what is wrong
   */
  async checkLedger(query: Query, kills: number): Promise<void> {
    const rows = await query<CallRow>(
      `SELECT state, outcome, prompt_tokens AS prompt, completion_tokens AS completion FROM calls`,
    );
    const [asked, most] = [this.asked.length, kills * CALLS_AT_ONCE];
    const completed = rows.filter(({ outcome }) => outcome === 'completed');
    const told = new Set(completed.map(({ prompt }) => prompt));
    const wrong = completed.filter((row) => !this.hasTold(row));
    failOn([
      ...(await wrongCounters(query)),
      ...rows.filter(({ state }) => state === 'open').map(() => 'a call is open'),
      ...wrong.map((row) => `a call is completed with other numbers than were told: ${JSON.stringify(row)}`),
      ...(told.size < completed.length ? [`${completed.length - told.size} answers have more than one call`] : []),
      ...(rows.length < asked ? [`the ledger has ${rows.length} calls, and the model was asked ${asked} times`] : []),
      ...(rows.length - asked > most ? [`${rows.length - asked} calls of the ledger were never made`] : []),
      ...(asked - completed.length > most ? [`${asked - completed.length} answered calls are not completed`] : []),
    ]);
  }

  private hasTold({ state, prompt, completion: tokens }: CallRow): boolean {
    const { prompt_tokens: expected, completion_tokens: answered } = usageOf(prompt - usageOf(0).prompt_tokens);
    return (
      state === 'exact' &&
      prompt === expected &&
      tokens === answered &&
      prompt < usageOf(this.asked.length).prompt_tokens
    );
  }

  private answer(request: ReceivedRequest) {
    const number = this.asked.length;
    const texts = Object.values(textsOf(request));
    this.asked.push(texts.map(sentenceIndex).filter((index) => index !== undefined));
    this.onRequest();
    const [content = ''] = (translating(toGerman)(request).pieces ?? []) as string[];
    const { choices } = JSON.parse(content);
    return heldUntil(sleep(ANSWER_MS), completion('', { choices, usage: usageOf(number) }));
  }
}

/** Of an answer, so that no other one has the same, and no estimate hits it. */
function usageOf(number: number) {
  const [prompt, completed] = [100_000 + number, 3_000 + (number % 1_009)];
  return { prompt_tokens: prompt, completion_tokens: completed, total_tokens: prompt + completed };
}
