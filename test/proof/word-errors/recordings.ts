import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Random } from '../../crash/random.js';
import { samplesOf, silence, sox, spoken, wavOf } from '../../support/builders/audio.js';
import { SENTENCES } from '../../support/builders/speech/sentences.js';
import { comparedWords } from './word-error-rate.js';

/** What Debian's `pocketsphinx-testdata` has of a reader of LibriVox. */
const LIBRIVOX = '/usr/share/pocketsphinx/test/data/librivox';

/** A recording whose words are known. */
export interface KnownRecording {
  readonly name: string;
  readonly wav: Buffer;
  readonly words: readonly string[];
}

/** Sentences with pauses of 0.4 to 4 s between them, by each voice, and the sentences of the reader. */
export function knownRecordings(seed: number, sentences = SENTENCES.length): KnownRecording[] {
  const texts = SENTENCES.slice(0, sentences);
  const voices = ['slt', 'awb', 'rms'].map((voice) =>
    toRecording(`flite ${voice}`, texts, (text) => spoken(text, { voice }), seed),
  );
  return [...voices, toRecording('espeak-ng', texts, espeak, seed), reader(seed)];
}

function toRecording(
  name: string,
  texts: readonly string[],
  say: (text: string) => Buffer,
  seed: number,
): KnownRecording {
  const random = new Random(seed);
  const parts = texts.flatMap((text) => [silence(0.4 + random.next() * 3.6), samplesOf(say(text))]);
  return { name, wav: wavOf(...parts, silence(1)), words: comparedWords(texts.join(' ')) };
}

function espeak(text: string): Buffer {
  const wav = execFileSync('espeak-ng', ['--stdin', '--stdout', '-v', 'en-us'], { input: text });
  return sox(['--ignore-length', '-t', 'wav', '-', '-r', '16000', '-c', '1', '-b', '16', '-t', 'wav', '-'], wav);
}

function reader(seed: number): KnownRecording {
  const lines = readFileSync(join(LIBRIVOX, 'transcription'), 'utf8').split('\n').filter(Boolean);
  const files = lines.map((line) => join(LIBRIVOX, `${/\(([^)]+)\)\s*$/.exec(line)?.[1]}.wav`));
  const say = (file: string): Buffer => sox([file, '-r', '16000', '-c', '1', '-b', '16', '-t', 'wav', '-']);
  return { ...toRecording('a recorded reader', files, say, seed), words: lines.flatMap(comparedWords) };
}
