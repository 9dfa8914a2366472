import { Random } from '../../crash/random.js';
import { samplesOf, spoken } from '../../support/builders/audio.js';
import { wavHead } from '../../support/servers/speech-server.js';
import { SENTENCES } from '../../support/builders/speech/sentences.js';
import { SOUNDS } from '../speech-detection/sounds.js';
import { comparedWords } from '../word-errors/word-error-rate.js';

const RATE = 16_000;
/** What is louder belongs to a sentence, of 16 bits. */
const QUIET = 300;
/** Faint noise lies under everything: no two places of a recording are the same. */
const NOISE = 80;
/** Sounds in which nobody speaks are made so long, and parts of them stand in pauses. */
const SOUND_SECONDS = 60;
/** Shorter pauses are silent. */
const SOUND_FROM_SECONDS = 3;

/** A word that is said once in a recording; places are numbers of samples. */
export interface KnownWord {
  /** No other word of the recording has it. */
  readonly word: string;
  readonly sentence: number;
  readonly start: number;
  readonly end: number;
  /** Where it is loudest. */
  readonly peak: number;
}

/** A recording of 16 kHz of which every word is known. */
export interface KnownTalk {
  readonly wav: Buffer;
  readonly words: readonly KnownWord[];
}

interface Clip {
  readonly samples: Int16Array;
  readonly words: readonly string[];
}

/** How a recording is made. */
export interface TalkOptions {
  readonly seconds: number;
  readonly seed: number;
  readonly voices?: readonly string[];
  /** So many sentences, each by each voice. */
  readonly sentences?: number;
}

/**
 * Sentences in a random order with pauses of 0.35 to 40 s, in some of which there are music, noise or clicks. Words are taken
 * to be as long as their letters: what is known of an engine's times is where they lie, not whether they are right.
 */
export function makeTalk({
  seconds,
  seed,
  voices = ['slt', 'awb', 'rms', 'kal16'],
  sentences,
}: TalkOptions): KnownTalk {
  const random = new Random(seed);
  const clips = SENTENCES.slice(0, sentences).flatMap((text) => voices.map((voice) => clipOf(text, voice)));
  const sounds = Object.values(SOUNDS).map((make) => asSamples(make(SOUND_SECONDS, seed)));
  const samples = new Int16Array(Math.round(seconds * RATE));
  const words: KnownWord[] = [];
  const ends = samples.length - RATE;
  for (let place = 0, sentence = 0; ; sentence += 1) {
    const pause = pauseSeconds(random);
    if (pause >= SOUND_FROM_SECONDS && random.chance(0.5)) addSound(samples, random.pick(sounds), place, pause);
    place += Math.round(pause * RATE);
    const clip = random.pick(clips);
    if (place + clip.samples.length > ends) break;
    add(samples, clip.samples, place);
    words.push(...placedWords(clip, place, sentence));
    place += clip.samples.length;
  }
  for (let index = 0; index < samples.length; index += 1) {
    samples[index] = (samples[index] ?? 0) + random.between(-NOISE, NOISE);
  }
  const bytes = Buffer.from(samples.buffer);
  return { wav: Buffer.concat([wavHead(bytes.length), bytes]), words };
}

/** The samples of a WAV file with the plain head, in memory of their own. */
export function asSamples(bytes: Buffer): Int16Array {
  const samples = new Int16Array(bytes.length >> 1);
  bytes.copy(Buffer.from(samples.buffer));
  return samples;
}

function pauseSeconds(random: Random): number {
  const kind = random.next();
  if (kind < 0.7) return 0.35 + 1.15 * random.next();
  return kind < 0.9 ? 1.5 + 4.5 * random.next() : 6 + 34 * random.next();
}

/** A sentence, without the silence around it. */
function clipOf(text: string, voice: string): Clip {
  const said = asSamples(samplesOf(spoken(text, { voice })));
  const first = said.findIndex((sample) => Math.abs(sample) > QUIET);
  const last = said.findLastIndex((sample) => Math.abs(sample) > QUIET);
  return { samples: said.slice(first, last + 1), words: comparedWords(text) };
}

function placedWords({ samples, words }: Clip, place: number, sentence: number): KnownWord[] {
  const letters = words.reduce((sum, { length }) => sum + length + 1, -1);
  let at = 0;
  return words.map((word, index) => {
    const [from, to] = [at, at + word.length].map((letter) => Math.round((letter / letters) * samples.length));
    const [start, end] = [from ?? 0, to ?? 0];
    at += word.length + 1;
    let peak = start;
    for (let sample = start; sample < end; sample += 1) {
      if (Math.abs(samples[sample] ?? 0) > Math.abs(samples[peak] ?? 0)) peak = sample;
    }
    return {
      word: `${word}_${sentence}_${index}`,
      sentence,
      start: place + start,
      end: place + end,
      peak: place + peak,
    };
  });
}

/** A part of a sound in the middle of a pause. */
function addSound(samples: Int16Array, sound: Int16Array, place: number, pause: number): void {
  const length = Math.min(sound.length, Math.round((pause - 2) * RATE), samples.length - place - RATE);
  if (length > 0) add(samples, sound.subarray(0, length), place + RATE);
}

function add(samples: Int16Array, others: Int16Array, place: number): void {
  for (const [index, other] of others.entries()) {
    const mixed = (samples[place + index] ?? 0) + other;
    samples[place + index] = Math.max(-32_000, Math.min(32_000, mixed));
  }
}
