import { json } from '../../support/servers/scripted-backend.js';
import type { Script } from '../../support/servers/scripted-backend.js';
import { samplesOf } from '../../support/builders/audio.js';
import { asSamples } from './known-talk.js';
import type { KnownTalk, KnownWord } from './known-talk.js';

const RATE = 16_000;
/** By so many samples from its loudest place on a word is known. */
const COMPARED = 16;
const MASK = 2 ** 22 - 1;

interface HeardWord {
  readonly word: string;
  readonly sentence: number;
  readonly start: number;
  readonly end: number;
}

/** An engine that hears each word of a recording where it lies in the file that it is sent, and nothing else. */
export class KnowingEngine {
  /** What it took, in milliseconds. */
  milliseconds = 0;
  calls = 0;
  private readonly samples: Int16Array;
  private readonly byKey = new Map<number, KnownWord[]>();
  /** Whether any word begins with such a pair of samples: nearly all places have none. */
  private readonly mayBe = new Uint8Array(MASK + 1);

  constructor({ wav, words }: KnownTalk) {
    this.samples = asSamples(samplesOf(wav));
    for (const word of words) {
      const key = keyAt(this.samples, word.peak);
      this.byKey.set(key, [...(this.byKey.get(key) ?? []), word]);
      this.mayBe[hashAt(this.samples, word.peak)] = 1;
    }
  }

  /** What it says to a WAV file. */
  answer(wav: Buffer): Script {
    const startedAt = performance.now();
    const samples = asSamples(samplesOf(wav));
    const words = this.hear(samples);
    const sentences = [...Map.groupBy(words, ({ sentence }) => sentence).values()];
    const segments = sentences.map((said, id) => ({
      id,
      start: said[0]?.start ?? 0,
      end: said.at(-1)?.end ?? 0,
      text: said.map(({ word }) => word).join(' '),
    }));
    this.calls += 1;
    this.milliseconds += performance.now() - startedAt;
    return json(200, {
      text: segments.map(({ text }) => text).join(' '),
      language: 'english',
      duration: samples.length / RATE,
      words: words.map(({ word, start, end }) => ({ word, start, end })),
      segments,
    });
  }

  private hear(samples: Int16Array): HeardWord[] {
    const heard: HeardWord[] = [];
    for (let at = 0; at + COMPARED <= samples.length; at += 1) {
      if (this.mayBe[hashAt(samples, at)] === 0) continue;
      for (const { word, sentence, start, end, peak } of this.byKey.get(keyAt(samples, at)) ?? []) {
        if (!this.isAt(samples, at, peak)) continue;
        const [from, to] = [Math.max(0, at + start - peak), Math.min(samples.length, at + end - peak)];
        heard.push({ word, sentence, start: from / RATE, end: to / RATE });
      }
    }
    return heard;
  }

  private isAt(samples: Int16Array, at: number, peak: number): boolean {
    for (let index = 0; index < COMPARED; index += 1) {
      if (samples[at + index] !== this.samples[peak + index]) return false;
    }
    return true;
  }
}

/** Of three samples, exactly. */
function keyAt(samples: Int16Array, at: number): number {
  const [one, two, three] = [samples[at] ?? 0, samples[at + 1] ?? 0, samples[at + 2] ?? 0];
  return (one + 32_768) * 2 ** 32 + (two + 32_768) * 65_536 + three + 32_768;
}

function hashAt(samples: Int16Array, at: number): number {
  return (Math.imul(samples[at] ?? 0, 40_503) ^ (samples[at + 1] ?? 0)) & MASK;
}
