import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AnyJson } from '../../support/probes/any-json.js';
import { heard } from '../../support/probes/heard-speech.js';
import { sha256Of, silentWav } from '../../support/builders/recordings.js';
import { startSpeechBackend } from '../../support/servers/speech-backend.js';
import type { SpeechBackend } from '../../support/servers/speech-backend.js';
import { wavHead } from '../../support/servers/speech-server.js';
import { lifeOf, login } from '../client.js';
import { failOn, settled, wrongCounters } from '../ledger-check.js';
import { LiveSender } from '../live-sender.js';
import type { Replica } from '../replica.js';
import { SECRET_KEY } from '../scenario.js';
import type { Figures, Scenario, ScenarioEnvironment } from '../scenario.js';
import { SentRecording } from '../sent-recording.js';
import type { Query } from '../servers.js';

/** When the server is killed, one of them in each round. */
const STEPS = ['upload', 'decode', 'chunk', 'swap', 'live'] as const;
type Step = (typeof STEPS)[number];
const PIECES = 6;
const HEAD_BYTES = 44;
/** Of the engine, so that a kill meets it. */
const ENGINE_MS = 60;
/** Between two pieces of a live session. */
const PIECE_MS = 400;
/** How long after a moment a kill comes at most. */
const LATEST_MS = { upload: 40, decode: 800, chunk: 2 * ENGINE_MS, swap: 1_200, live: 1_500 } as const;
const SENTENCES = [
  'The meeting begins at nine in the large room.',
  'Lunch is at noon, and everybody is welcome.',
  'The second report is due at the end of the week.',
  'Nobody has seen the keys of the small office.',
];

/**
 * A server is killed at some point while audio is sent, decoded, transcribed chunk by chunk, its transcript put into its
 * place, or while somebody speaks to it: audio, transcript and ledger are then those of an undisturbed recording.
 */
export const transcriptionKilled: Scenario = {
  name: 'transcription killed',
  isSampled: true,
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
    const play = new Play(environment, { server, engine, token, audio });
    const expected = { upload: await play.round('upload', false), live: await play.round('live', false) };
    if (expected.upload.transcript.segments.length < SENTENCES.length) throw new Error('Too little was heard.');
    const problems: string[] = [];
    for (const round of environment.roundNumbers) {
      const step = STEPS[round % STEPS.length] ?? 'upload';
      const found = await play.round(step, true);
      const { hash, transcript } = expected[step === 'live' ? 'live' : 'upload'];
      if (found.hash !== hash) problems.push(`other audio after a kill during ${step}`);
      if (!isDeepStrictEqual(found.transcript, transcript))
        problems.push(`another transcript after a kill during ${step}`);
    }
    failOn(problems);
    await settled(query);
    const calls = await checkCalls(query, engine, environment.rounds);
    await server.stop();
    return { rounds: environment.rounds, kills: play.kills, 'live sessions': play.sessions, calls };
  },
};

interface Parts {
  readonly server: Replica;
  readonly engine: SpeechBackend;
  readonly token: string;
  readonly audio: Buffer;
}

/** What came of a recording. */
interface Played {
  /** Of its audio. */
  readonly hash: string;
  readonly transcript: AnyJson;
}

/** Sends recordings, during one of which the server is killed at most once. */
class Play {
  kills = 0;
  /** Of live transcription. */
  sessions = 0;
  private chunks = Number.POSITIVE_INFINITY;

  constructor(
    private readonly environment: ScenarioEnvironment,
    private readonly parts: Parts,
  ) {}

  async round(step: Step, isKilled: boolean): Promise<Played> {
    const { server, engine, token } = this.parts;
    const { random } = this.environment;
    const recording = await SentRecording.open(server, token);
    let killed: Promise<void> | undefined;
    const reach = (moment: Step): void => {
      if (isKilled && moment === step) killed ??= this.kill(random.between(0, LATEST_MS[step]));
    };
    const before = engine.server.requests.length;
    // Each chunk is at most once more asked for, behind a kill.
    const at = step === 'swap' ? this.chunks : random.between(1, Math.min(this.chunks, 3));
    engine.server.byDefault = (request) => {
      const asked = engine.server.requests.length - before;
      if ((step === 'chunk' || step === 'swap') && asked === at) reach(step);
      const said = sha256Of(request.file?.bytes ?? Buffer.alloc(0));
      return heard(request, `a ${said.slice(0, 8)} b ${said.slice(8, 16)}`, sleep(ENGINE_MS));
    };
    await this.send(recording, step, reach);
    reach('decode');
    const transcript = await recording.transcript();
    await killed;
    if (!isKilled && step === 'upload') this.chunks = engine.server.requests.length - before;
    return { transcript, hash: await recording.hash() };
  }

  private async send(recording: SentRecording, step: Step, reach: (moment: Step) => void): Promise<void> {
    const { server, token, audio } = this.parts;
    if (step !== 'live') {
      const piece = this.environment.random.between(0, PIECES - 1);
      await recording.send(audio, PIECES, (index) => {
        if (index === piece) reach('upload');
      });
      return;
    }
    // Also when all is said, and when the session ends.
    const piece = this.environment.random.between(0, PIECES);
    const sender = new LiveSender(server, token, recording.id);
    const onPiece = (index: number): void => {
      if (index === piece) reach('live');
    };
    await sender.send({ audio: audio.subarray(HEAD_BYTES), pieces: PIECES, pieceMs: PIECE_MS, onPiece });
    this.sessions += sender.sessions;
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
    ...(await wrongCounters(query)),
    ...(open > 0 ? [`${open} calls are open`] : []),
    ...(all < asked ? [`the ledger has ${all} calls, and the engine saw ${asked}`] : []),
    ...(completed > asked ? [`${completed} calls are completed, and the engine saw ${asked}`] : []),
    // A process that dies between its row and the engine's first byte leaves a row that the engine has not seen.
    ...(all - asked > rounds ? [`the ledger has ${all - asked} calls that the engine did not see`] : []),
  ]);
  return asked;
}
