import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { heard } from '../../support/heard-speech.js';
import { silentWav } from '../../support/recordings.js';
import { startSpeechBackend } from '../../support/speech-backend.js';
import type { SpeechBackend } from '../../support/speech-backend.js';
import { wavHead } from '../../support/speech-server.js';
import { lifeOf, login } from '../client.js';
import { failOn } from '../ledger-check.js';
import type { Replica } from '../replica.js';
import { SECRET_KEY } from '../scenario.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';
import { SentRecording } from '../sent-recording.js';
import type { Query } from '../servers.js';

/** When the server is killed, one of them in each round. */
const STEPS = ['upload', 'decode', 'chunk', 'swap'] as const;
type Step = (typeof STEPS)[number];
const PIECES = 6;
const HEAD_BYTES = 44;
/** Of the engine, so that a kill meets it. */
const ENGINE_MS = 60;
const SENTENCES = [
  'The meeting begins at nine in the large room.',
  'Lunch is at noon, and everybody is welcome.',
  'The second report is due at the end of the week.',
  'Nobody has seen the keys of the small office.',
];

/**
 * A server is killed at some point while audio is sent, decoded, transcribed chunk by chunk, or its transcript put into its
 * place: audio, transcript and ledger are then those of an undisturbed recording.
 */
export const transcriptionKilled: Scenario = {
  name: 'transcription killed',
  async run(environment: ScenarioEnvironment): Promise<Figures> {
    // An engine that says the same of the same bytes, and some chunks of each recording.
    const engine = await startSpeechBackend({ audio: { max_seconds: 6 } });
    environment.onClose(() => engine.close());
    const { url, query } = await environment.database();
    const server = environment.replica({
      DATABASE_URL: url,
      SECRET_KEY,
      DATA_DIR: join(environment.folder, 'data'),
      BACKENDS_FILE: engine.path,
      BUILTIN_BACKEND: 'true',
    });
    await server.start();
    const token = await login(server);
    const audio = await speak(server, token);
    const hash = createHash('sha256').update(audio).digest('hex');
    const play = new Play(environment, { server, engine, token, audio });
    const expected = await play.round(undefined);
    if (expected.segments.length < SENTENCES.length) throw new Error('Too little was heard.');
    const problems: string[] = [];
    for (let round = 0; round < environment.rounds; round += 1) {
      const step = STEPS[round % STEPS.length] ?? 'upload';
      const { recording, ...transcript } = await play.round(step);
      if (!isDeepStrictEqual({ ...expected, recording: undefined }, { ...transcript, recording: undefined })) {
        problems.push(`another transcript after a kill during ${step}`);
      }
      if ((await recording.hash()) !== hash) problems.push(`other audio after a kill during ${step}`);
    }
    failOn(problems);
    const calls = await checkCalls(query, engine, environment.rounds);
    await server.stop();
    return { rounds: environment.rounds, kills: play.kills, chunks: calls };
  },
};

interface Parts {
  readonly server: Replica;
  readonly engine: SpeechBackend;
  readonly token: string;
  readonly audio: Buffer;
}

/** Sends recordings, during one of which the server is killed at most once. */
class Play {
  kills = 0;
  private chunks = Number.POSITIVE_INFINITY;

  constructor(
    private readonly environment: ScenarioEnvironment,
    private readonly parts: Parts,
  ) {}

  async round(step: Step | undefined) {
    const { server, engine, token, audio } = this.parts;
    const { random } = this.environment;
    const recording = await SentRecording.open(server, token);
    let killed: Promise<void> | undefined;
    const kill = (afterMs: number): void => void (killed ??= this.kill(afterMs));
    const before = engine.server.requests.length;
    // Each chunk is at most once more asked for, behind a kill.
    const at = step === 'swap' ? this.chunks : random.between(1, Math.min(this.chunks, 3));
    engine.server.byDefault = (request) => {
      const asked = engine.server.requests.length - before;
      if ((step === 'chunk' || step === 'swap') && asked === at) kill(random.between(0, 2 * ENGINE_MS));
      const said = createHash('sha256')
        .update(request.file?.bytes ?? '')
        .digest('hex');
      return heard(request, `a ${said.slice(0, 8)} b ${said.slice(8, 16)}`, sleep(ENGINE_MS));
    };
    const piece = random.between(0, PIECES - 1);
    await recording.send(audio, PIECES, (index) => {
      if (step === 'upload' && index === piece) kill(random.between(0, 40));
    });
    if (step === 'decode') kill(random.between(0, 800));
    const transcript = await recording.transcript();
    await killed;
    if (step === undefined) this.chunks = engine.server.requests.length - before;
    return { ...transcript, recording };
  }

  private async kill(afterMs: number): Promise<void> {
    await sleep(afterMs);
    await this.parts.server.kill();
    this.kills += 1;
    await this.parts.server.start();
  }
}

/** What one voice of this machine says, with pauses in which it is cut. */
async function speak(server: Replica, token: string): Promise<Buffer> {
  const pause = silentWav(2).subarray(HEAD_BYTES);
  const samples: Buffer[] = [];
  for (const input of SENTENCES) {
    const answer = await fetch(`${lifeOf(server).origin}/v1/audio/speech`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'builtin-flite', input, response_format: 'pcm', voice: 'slt' }),
    });
    if (answer.status !== 200) throw new Error(`Nothing was said: ${answer.status}`);
    samples.push(Buffer.from(await answer.arrayBuffer()), pause);
  }
  const data = Buffer.concat(samples);
  return Buffer.concat([wavHead(data.length), data]);
}

/** Compares the ledger with what the engine has seen. @returns how often it was asked */
async function checkCalls(query: Query, { server }: SpeechBackend, rounds: number): Promise<number> {
  const rows = await query<{ state: string; outcome: string; count: number }>(
    `SELECT state, outcome, count(*)::integer AS count FROM calls WHERE model = 'heard' GROUP BY state, outcome`,
  );
  const sum = (which: (row: (typeof rows)[number]) => boolean) =>
    rows.filter(which).reduce((all, { count }) => all + count, 0);
  const asked = server.requests.length;
  const [all, open, completed] = [
    sum(() => true),
    sum(({ state }) => state === 'open'),
    sum(({ outcome }) => outcome === 'completed'),
  ];
  failOn([
    ...(open > 0 ? [`${open} calls are open`] : []),
    ...(all < asked ? [`the ledger has ${all} calls, and the engine saw ${asked}`] : []),
    ...(completed > asked ? [`${completed} calls are completed, and the engine saw ${asked}`] : []),
    // A process that dies between its row and the engine's first byte leaves a row that the engine has not seen.
    ...(all - asked > rounds ? [`the ledger has ${all - asked} calls that the engine did not see`] : []),
  ]);
  return asked;
}
