import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { makeTalk } from '../../test/proof/long-recording/known-talk.js';
import { wavHead } from '../../test/support/servers/speech-server.js';
import type { Environment } from '../environment.js';

const BYTES_A_SECOND = 32_000;
const HEAD_BYTES = 44;
const SEED = 18;

/** How recordings are written, as ffmpeg is told. */
export const TALK_FORMS: Readonly<Record<string, readonly string[]>> = {
  'WAV, 16 kHz': [],
  'WAV, 44.1 kHz, stereo': ['-ar', '44100', '-ac', '2', '-f', 'wav'],
  mp3: ['-b:a', '64k', '-f', 'mp3'],
};

/** Files of synthetic voices, made when they are first asked for: the shorter ones are beginnings of the longest. */
export class Talks {
  private readonly files = new Map<string, string>();
  private longest: Buffer | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly longestSeconds: number,
  ) {}

  /** The bytes of a WAV file of 16 kHz. */
  wav(seconds: number): Buffer {
    this.longest ??= makeTalk({ seconds: this.longestSeconds, seed: SEED }).wav;
    const samples = this.longest.subarray(HEAD_BYTES, HEAD_BYTES + seconds * BYTES_A_SECOND);
    return Buffer.concat([wavHead(samples.length), samples]);
  }

  /** The path of a file. @param form one of TALK_FORMS */
  file(seconds: number, form: string): string {
    const key = `${form} ${seconds}`;
    const known = this.files.get(key);
    if (known !== undefined) return known;
    const path = this.environment.path('talk');
    const args = TALK_FORMS[form] ?? [];
    const wav = this.wav(seconds);
    if (args.length === 0) writeFileSync(path, wav);
    else
      execFileSync('ffmpeg', ['-nostdin', '-loglevel', 'error', '-f', 'wav', '-i', 'pipe:0', ...args, path], {
        input: wav,
      });
    this.files.set(key, path);
    return path;
  }
}
