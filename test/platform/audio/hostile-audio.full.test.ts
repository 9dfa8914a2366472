import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ffmpeg, openAudio, samplesOf, silence, spoken, wavOf } from '../../support/builders/audio.js';

let said: Buffer;
let wav: Buffer;

beforeAll(() => {
  said = samplesOf(spoken('The ferry leaves the northern pier at nine.'));
  wav = wavOf(silence(1), said, silence(1));
});

describe('audio of hostile clients', () => {
  it.each([
    ['0', 0],
    ['not known', 0xffffffff],
    ['more than there is', 0x7ffff000],
    ['what has run over 32 bits', 16_000],
  ])('believes no WAV file that says that the size of its samples is %s', async (_, size) => {
    using bed = await openAudio();
    const lying = Buffer.from(wav);
    lying.writeUInt32LE(size, 40);
    lying.writeUInt32LE(size, 4);

    const { durationSeconds, spans } = await bed.decode(lying);

    expect(durationSeconds).toBeCloseTo(2 + said.length / 32_000, 3);
    expect(spans.length).toBeGreaterThan(0);
  });

  it('leaves out what stands behind the samples', async () => {
    using bed = await openAudio();
    const note = Buffer.from('LIST\x10\0\0\0INFOICMT\x04\0\0\0abc\0', 'latin1');

    const { durationSeconds } = await bed.decode(Buffer.concat([wav, note]));

    expect(durationSeconds).toBeCloseTo(2 + said.length / 32_000, 4);
  });

  it.each([
    ['is of an odd length, and padded', 3],
    ['is longer than any that is looked at', 5_001],
    ['has no bytes', 0],
  ])('passes over what stands before the samples and %s', async (_, length) => {
    using bed = await openAudio();
    const note = Buffer.alloc(8 + length + (length % 2), 'd');
    note.write('LIST', 'latin1');
    note.writeUInt32LE(length, 4);

    const { durationSeconds, spans } = await bed.decode(Buffer.concat([wav.subarray(0, 36), note, wav.subarray(36)]));

    expect(durationSeconds).toBeCloseTo(2 + said.length / 32_000, 4);
    expect(spans.length).toBeGreaterThan(0);
  });

  it('takes of files that are cut off what there is', async () => {
    using bed = await openAudio();
    const mp3 = ffmpeg(wav, '-b:a', '64k', '-f', 'mp3');
    const flac = ffmpeg(wav, '-f', 'flac');

    expect((await bed.decode(wav.subarray(0, 44 + 32_001))).durationSeconds).toBeCloseTo(1, 4);
    expect((await bed.decode(mp3.subarray(0, mp3.length / 2))).durationSeconds).toBeGreaterThan(1);
    expect((await bed.decode(flac.subarray(0, flac.length / 2))).durationSeconds).toBeGreaterThan(1);
  });

  it.each([
    ['no bytes', '', 'empty'],
    ['text', 'Good morning.', 'unsupported_media_type'],
    ['a playlist', '#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n', 'unsupported_media_type'],
    ['a list of files', "ffconcat version 1.0\nfile '/etc/passwd'\n", 'unsupported_media_type'],
    ['a session description', 'v=0\no=- 0 0 IN IP4 127.0.0.1\nm=audio 9 RTP/AVP 0\n', 'unsupported_media_type'],
    ['a head without samples', 'RIFF\x04\0\0\0WAVE', 'malformed'],
    ['an ID3 tag and a playlist', 'ID3\x04\0\0\0\0\0\0#EXTM3U\nfile:///etc/passwd\n', 'unsupported_media_type'],
    [
      'half a frame',
      'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0\x80\x3e\0\0\0\0\0\0\x02\0\x10\0data\0\0\0\0a',
      'empty',
    ],
    [
      'no channels',
      'RIFF\0\0\0\0WAVEfmt \x10\0\0\0\x01\0\0\0\x80\x3e\0\0\0\0\0\0\x02\0\x10\0data\0\0\0\0abcd',
      'malformed',
    ],
  ])('refuses %s', async (_, text, reason) => {
    using bed = await openAudio();

    expect(await bed.reasonOf(Buffer.from(text, 'latin1'))).toBe(reason);
  });

  it.each<[string, number, number, string]>([
    ['65,535 channels', 22, 65_535, 'malformed'],
    ['no samples a second', 24, 0, 'malformed'],
    ['samples without bits', 34, 0, 'malformed'],
  ])('refuses a WAV file that says that it has %s', async (_, place, value, reason) => {
    using bed = await openAudio();
    const lying = Buffer.from(wav);
    if (place === 24) lying.writeUInt32LE(value, place);
    else lying.writeUInt16LE(value, place);

    expect(await bed.reasonOf(lying)).toBe(reason);
  });

  it('believes no length that a file tells', async () => {
    using bed = await openAudio();
    const path = bed.path('a.mp3');
    execFileSync('ffmpeg', ['-nostdin', '-loglevel', 'error', '-f', 'wav', '-i', 'pipe:0', path], { input: wav });
    const [mp3, mp4] = [readFileSync(path), ffmpeg(wav, '-c:a', 'aac', '-movflags', 'frag_keyframe', '-f', 'mp4')];
    mp3.writeUInt32BE(0x7fffffff, mp3.indexOf('Info') + 8);
    mp4.writeUInt32BE(0x7fffffff, mp4.indexOf('mvhd') + 20);

    for (const lying of [mp3, mp4]) {
      expect((await bed.decode(lying)).durationSeconds).toBeCloseTo(2 + said.length / 32_000, 0);
    }
  });

  it.each([
    ['flac', ['-f', 'flac']],
    ['ogg', ['-c:a', 'libopus', '-mapping_family', '1', '-f', 'ogg']],
  ])('makes one channel of the eight of %s', async (_, form) => {
    using bed = await openAudio();

    const { durationSeconds, spans } = await bed.decode(ffmpeg(wav, '-ac', '8', '-ar', '48000', ...form));

    expect(durationSeconds).toBeCloseTo(2 + said.length / 32_000, 1);
    expect(spans.length).toBeGreaterThan(0);
  });

  it('reads an index that stands at the end, and refuses the file without it', async () => {
    using bed = await openAudio();
    const [from, to] = [bed.path(), bed.path('a.m4a')];
    writeFileSync(from, wav);
    execFileSync('ffmpeg', ['-nostdin', '-loglevel', 'error', '-i', from, '-c:a', 'aac', to]);
    const file = readFileSync(to);

    expect(file.indexOf('moov')).toBeGreaterThan(file.indexOf('mdat'));
    expect((await bed.decode(file)).durationSeconds).toBeGreaterThan(2);
    expect(await bed.reasonOf(file.subarray(0, file.indexOf('moov')))).toBe('malformed');
  });

  it.each([1_000, 7_999, 191_999, 384_001])('says that nothing is heard at a rate of %d', async (rate) => {
    using bed = await openAudio();
    const file = wavOf(silence(2));
    file.writeUInt32LE(rate, 24);

    expect(await bed.reasonOf(Buffer.concat([file, Buffer.alloc(rate)]))).toBe('sample_rate');
  });

  it('stops at the longest audio that is taken, however small the file is', async () => {
    using bed = await openAudio();
    const flac = ffmpeg(wavOf(silence(600)), '-f', 'flac');

    expect(flac.length).toBeLessThan(200_000);
    expect(await bed.reasonOf(flac, { maxSeconds: 30 })).toBe('too_large');
    expect(await bed.reasonOf(wavOf(silence(31)), { maxSeconds: 30 })).toBe('too_large');
    expect(await bed.reasonOf(wavOf(silence(30)), { maxSeconds: 30 })).toBe('decoded');
  });

  it('ends the child, and its ffmpeg, of a file that takes too long or too much memory', async () => {
    using slow = await openAudio({ audioSeconds: 1 });
    using small = await openAudio({ audioMemoryMib: 60 });
    const flac = ffmpeg(wavOf(silence(1_800)), '-f', 'flac');

    expect(await slow.reasonOf(flac)).toBe('timed_out');
    expect(await small.reasonOf(flac)).toBe('out_of_memory');
    expect(slow.audio.children.busyPids).toEqual([]);
    expect(await slow.reasonOf(wav)).toBe('decoded');
  });

  it('ends at once when its caller has gone', async () => {
    using bed = await openAudio();
    const gone = new AbortController();
    const flac = ffmpeg(wavOf(silence(1_800)), '-f', 'flac');
    const decoding = bed.decode(flac, { signal: gone.signal });

    gone.abort(new Error('gone'));

    await expect(decoding).rejects.toThrow('gone');
    expect(bed.audio.children.busyPids).toEqual([]);
  });

  it('leaves no files but in the folder that it was given', async () => {
    using bed = await openAudio();
    // Folders may be those of other tests.
    const files = () => readdirSync(tmpdir(), { withFileTypes: true }).filter((entry) => entry.isFile());
    const before = new Set(files().map(({ name }) => name));

    await bed.decode(ffmpeg(wav, '-f', 'flac'));

    expect(files().filter(({ name }) => !before.has(name))).toEqual([]);
  });

  it('says where ffmpeg is missing that it is needed', async () => {
    const path = process.env['PATH'];
    process.env['PATH'] = '/nowhere';
    using bed = await openAudio();
    process.env['PATH'] = path;

    expect(await bed.reasonOf(ffmpeg(wav, '-f', 'mp3'))).toBe('needs_ffmpeg');
    expect(await bed.reasonOf(wav)).toBe('decoded');
    expect(bed.audio.formats).toEqual(['wav', 'pcm']);
  });
});
