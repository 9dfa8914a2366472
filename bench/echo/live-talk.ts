import { setTimeout as sleep } from 'node:timers/promises';
import { openLive } from '../../test/support/servers/live-client.js';
import { samplesOf, spoken } from '../../test/support/builders/audio.js';
import { SENTENCES } from '../../test/support/builders/speech/sentences.js';
import type { Target } from '../load.js';
import { makeRecording } from './echo-gateway.js';

const RATE = 24_000;
const FRAME_MS = 100;
const FRAME_BYTES = (RATE / 1_000) * FRAME_MS * 2;
/** What is quieter, of 16 bits, belongs to no sentence. */
const QUIET = 300;
const PAUSE_FRAMES = 18;
/** Turns before it is measured: they start the children and compile. */
const WARM_UP = 1;
/** What waits for the text of its last turn longer than this has lost it. */
const LONGEST_MS = 15_000;
const VOICES = ['slt', 'awb', 'rms'];

/** What sessions measured. */
export interface TalkedLive {
  /** From the end of what was said to the text of the turn, in milliseconds, sorted. */
  readonly waits: readonly number[];
  /** Turns without a text, and turns that were told in two. */
  readonly lost: number;
}

/** Has sessions talk, each so many turns, as a microphone does: a frame every 100 ms, spread over a turn. */
export async function talkLive(
  target: Target,
  { model, sessions, turns, isOver = () => false }: TalkOptions,
): Promise<TalkedLive> {
  const talks = Array.from({ length: sessions }, async (_, index) => {
    const frames = turnOf(index);
    await sleep((index * (frames.length + PAUSE_FRAMES) * FRAME_MS) / sessions);
    return talk(target, { model, frames, turns, isOver });
  });
  const all = await Promise.all(talks);
  const waits = all.flatMap((one) => one.waits).sort((one, other) => one - other);
  return { waits, lost: all.reduce((sum, { lost }) => sum + lost, 0) };
}

interface TalkOptions {
  readonly model: string;
  readonly sessions: number;
  readonly turns: number;
  readonly isOver?: () => boolean;
}

async function talk(
  target: Target,
  { model, frames, turns, isOver }: Omit<Required<TalkOptions>, 'sessions'> & { readonly frames: readonly Buffer[] },
): Promise<TalkedLive> {
  const id = await makeRecording(target, { method: 'live' });
  const token = target.headers['authorization']?.replace('Bearer ', '') ?? '';
  const client = await openLive(target.origin, { token, query: `&model=${model}&recording_id=${id}` });
  const silence = Buffer.alloc(FRAME_BYTES);
  const ends: number[] = [];
  const texts: number[] = [];
  client.socket.on('message', (data: Buffer) => {
    if (data.toString().includes('transcription.completed"')) texts.push(performance.now());
  });
  let at = performance.now();
  const send = async (frame: Buffer): Promise<void> => {
    at += FRAME_MS;
    await sleep(Math.max(0, at - performance.now()));
    client.socket.send(frame);
  };
  // What is around is learned before somebody speaks.
  for (let count = 0; count < PAUSE_FRAMES; count += 1) await send(silence);
  for (let turn = 0; turn < turns + WARM_UP && !isOver(); turn += 1) {
    for (const frame of frames) await send(frame);
    ends.push(performance.now());
    for (let count = 0; count < PAUSE_FRAMES; count += 1) await send(silence);
  }
  const endsAt = performance.now() + LONGEST_MS;
  while (texts.length < ends.length && performance.now() < endsAt) await send(silence);
  client.send({ type: 'session.close' });
  await client.closed;
  const waits = ends.map((end, turn) => (texts[turn] ?? Number.POSITIVE_INFINITY) - end).slice(WARM_UP);
  return { waits: waits.filter(Number.isFinite), lost: Math.abs(ends.length - texts.length) };
}

/** A sentence in frames; it ends where its last frame ends. */
function turnOf(index: number): Buffer[] {
  const said = samplesOf(spoken(SENTENCES[index] ?? '', { voice: VOICES[index % VOICES.length], rate: RATE }));
  let [start, end] = [0, said.length - 2];
  while (Math.abs(said.readInt16LE(start)) < QUIET) start += 2;
  while (Math.abs(said.readInt16LE(end)) < QUIET) end -= 2;
  const sentence = said.subarray(start, end + 2);
  const before = Buffer.alloc((FRAME_BYTES - (sentence.length % FRAME_BYTES)) % FRAME_BYTES);
  const samples = Buffer.concat([before, sentence]);
  return Array.from({ length: samples.length / FRAME_BYTES }, (_, frame) =>
    samples.subarray(frame * FRAME_BYTES, (frame + 1) * FRAME_BYTES),
  );
}
