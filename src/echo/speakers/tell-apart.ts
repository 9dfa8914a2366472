import type { AudioSpan } from '../../platform/audio/audio.types.js';
import { splitAtChanges } from './change-points.js';
import { COEFFICIENTS, HOP, toFrames } from './mfcc.js';
import type { SpeakersTask, SpeakerTurn } from './speakers.types.js';
import type { Gaussian } from './gaussian.js';
import { mergeVoices } from './voices.js';
import type { Voice } from './voices.js';

const RATE = 16_000;
/** Shorter speech makes no speaker by itself, in frames of 10 ms. */
const SEED_FRAMES = 150;
/** What is further from every voice is nobody's, squared, in standard deviations. */
const FARTHEST = 2.5 * COEFFICIENTS;
/** So many turns are told at once. */
const BATCH = 1_000;

/** A piece of speech on the time of the recording. */
interface SpokenPiece extends AudioSpan {
  readonly voice: Gaussian;
}

/** Does one task of the child: tells who speaks in the stretches whose samples come. @throws Error where they are cut off */
export async function tellApart(
  task: unknown,
  input: AsyncIterable<Uint8Array>,
  emit: (turns: readonly SpeakerTurn[]) => Promise<void>,
): Promise<void> {
  const { spans } = task as SpeakersTask;
  const pieces: SpokenPiece[] = [];
  const stretches = samplesOf(spans, input);
  for await (const { span, samples } of stretches) {
    for (const { from, to, voice } of splitAtChanges(toFrames(samples))) {
      const start = span.start + (from * HOP) / RATE;
      pieces.push({ start, end: Math.min(span.end, span.start + (to * HOP) / RATE), voice });
    }
    // The frame at the end is longer than the others.
    const last = pieces.at(-1);
    if (last && last.start >= span.start) pieces.splice(-1, 1, { ...last, end: span.end });
  }
  const turns = toTurns(pieces);
  for (let place = 0; place < turns.length; place += BATCH) await emit(turns.slice(place, place + BATCH));
}

function toTurns(pieces: readonly SpokenPiece[]): SpeakerTurn[] {
  const seeds = pieces.flatMap(({ voice }, index): Voice[] =>
    voice.count >= SEED_FRAMES ? [{ model: voice, members: [index] }] : [],
  );
  const voices = mergeVoices(seeds);
  const owners = new Map(voices.flatMap((voice) => voice.members.map((member) => [member, voice] as const)));
  const labels = new Map<Voice, string>();
  return pieces.map(({ start, end, voice }, index) => {
    const owner = owners.get(index) ?? nearest(voice, voices);
    if (owner && !labels.has(owner)) labels.set(owner, `S${labels.size + 1}`);
    return { start, end, speaker: (owner && labels.get(owner)) ?? null };
  });
}

/** The voice that short speech is most like; undefined where it is like none. */
function nearest(short: Gaussian, voices: readonly Voice[]): Voice | undefined {
  let [best, least] = [undefined as Voice | undefined, Number.POSITIVE_INFINITY];
  for (const voice of voices) {
    const distance = voice.model.distanceTo(short);
    const cost = distance + voice.model.logDeterminant;
    if (short.count > 0 && distance < FARTHEST && cost < least) [best, least] = [voice, cost];
  }
  return best;
}

interface Stretch {
  readonly span: AudioSpan;
  readonly samples: Int16Array;
}

async function* samplesOf(spans: readonly AudioSpan[], input: AsyncIterable<Uint8Array>): AsyncGenerator<Stretch> {
  let index = 0;
  let filled = 0;
  let bytes = roomFor(spans[0]);
  for await (const chunk of input) {
    for (let place = 0; place < chunk.length;) {
      const part = chunk.subarray(place, place + bytes.length - filled);
      bytes.set(part, filled);
      place += part.length;
      filled += part.length;
      if (filled < bytes.length) continue;
      const span = spans[index];
      if (!span) throw new Error('more samples than spans');
      yield { span, samples: new Int16Array(bytes.buffer, 0, bytes.length / 2) };
      index += 1;
      [filled, bytes] = [0, roomFor(spans[index])];
    }
  }
  if (index < spans.length) throw new Error('fewer samples than spans');
}

function roomFor(span: AudioSpan | undefined): Uint8Array<ArrayBuffer> {
  return new Uint8Array(span ? sampleCount(span) * 2 : 0);
}

/** As `tell-speakers.ts` cuts them. */
export function sampleCount({ start, end }: AudioSpan): number {
  return Math.round(end * RATE) - Math.round(start * RATE);
}
