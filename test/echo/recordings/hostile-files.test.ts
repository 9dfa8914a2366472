import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ffmpeg, samplesOf, silence, spoken, wavOf } from '../../support/builders/audio.js';
import { eventually } from '../../support/probes/eventually.js';
import { heard } from '../../support/probes/heard-speech.js';
import { RecordingProbe } from '../../support/builders/recordings.js';
import { startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';
import { onFfmpeg } from '../../support/servers/services.js';

describe('files of hostile clients', () => {
  it.each([
    ['a playlist', '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n'],
    ['a playlist behind a tag', 'ID3\x04\0\0\0\0\0\0#EXTM3U\nfile:///etc/passwd\n'],
    ['a list of files', "ffconcat version 1.0\nfile '/etc/passwd'\n"],
    ['a page', '<!doctype html><title>Sound</title>'],
  ])('are refused where they are named .mp3 and are %s', async (_, text) => {
    const bytes = Buffer.from(text, 'latin1');
    const recording = await RecordingProbe.create(bed.platform, bed.token, { filename: 'song.mp3' });

    const put = await recording.put(bytes, undefined, { headers: { 'content-type': 'audio/mpeg' } });
    const asked = await oneShot(bytes);

    expect([put.status, asked.status]).toEqual([415, 415]);
    expect((await recording.get()).status).toBe('created');
    expect(bed.server.requests).toEqual([]);
  });

  onFfmpeg.it.each<[string, () => Buffer]>([
    ['an index at the end', () => withIndexAtEnd(wav)],
    ['eight channels', () => ffmpeg(wav, '-ac', '8', '-f', 'flac')],
    ['half of their bytes', () => cutOff(ffmpeg(wavOf(talk, talk), '-b:a', '64k', '-f', 'mp3'))],
  ])('are transcribed where they have %s', async (_, make) => {
    const recording = await RecordingProbe.create(bed.platform, bed.token);
    const bytes = make();

    await recording.put(bytes, undefined, { headers: { 'content-type': 'audio/mpeg' } });
    await eventually('it is transcribed', 25, async () => (await recording.get()).status === 'completed');

    const { duration_seconds: duration } = await recording.get();
    expect(duration).toBeCloseTo(talk.length / 32_000, 0);
    expect((await recording.request('GET', '/transcript')).body.text).toBe('all of it');
    expect((await recording.audio()).bytes.equals(bytes)).toBe(true);
  });

  let bed: SpeechBed;
  let talk: Buffer;
  let wav: Buffer;
  beforeAll(async () => {
    bed = await startSpeechBed();
    bed.server.byDefault = (request) => heard(request, 'all of it');
    talk = Buffer.concat([silence(1), samplesOf(spoken('The ferry leaves the northern pier at nine.')), silence(1)]);
    wav = wavOf(talk);
  });
  afterAll(() => bed.close());
  afterEach(() => bed.forget());

  function oneShot(bytes: Buffer): Promise<Response> {
    const form = new FormData();
    form.append('file', new File([new Uint8Array(bytes)], 'song.mp3', { type: 'audio/mpeg' }));
    form.append('model', 'heard');
    const headers = { authorization: `Bearer ${bed.token}` };
    return fetch(`${bed.platform.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form });
  }
});

/** An mp4 file that was written as ffmpeg does by default: what is where stands behind the samples. */
function withIndexAtEnd(wav: Buffer): Buffer {
  const path = join(tmpdir(), `index-${process.pid}.m4a`);
  try {
    const args = ['-nostdin', '-loglevel', 'error', '-y', '-f', 'wav', '-i', 'pipe:0', '-c:a', 'aac', path];
    execFileSync('ffmpeg', args, { input: wav });
    return readFileSync(path);
  } finally {
    rmSync(path, { force: true });
  }
}

function cutOff(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length / 2);
}
