import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, expect, it } from '@jest/globals';
import { eventually } from '../../support/probes/eventually.js';
import { metricValue } from '../../support/probes/metrics.js';
import { ENDLESS_SOUND, useAskedSpeech } from '../../support/servers/asked-speech.js';
import type { SpeechWay } from '../../support/servers/asked-speech.js';
import { newServiceKey } from '../../support/servers/service-key.js';
import { onFfmpeg } from '../../support/servers/services.js';

onFfmpeg.describe('answers that ffmpeg encodes', () => {
  it.each<SpeechWay>(['POST', 'events', 'GET'])('are no more than a user may have places, by %s', async (way) => {
    const [held, waits, refused] = [await speech.ask(way), await speech.ask(way), await speech.ask(way)];
    await held();
    const waiting = waits();
    await eventually('an answer waits', 5, async () => (await metric('platform_audio_encoders_waiting')) === 1);

    const refusal = await refused();

    expect([refusal.status, refusal.headers.get('retry-after'), encoders()]).toEqual([429, '5', 1]);
    speech.leave();
    await expect(waiting).rejects.toThrow();
    await untilFree();
    expect((await refused()).status).toBe(200);
    expect(speech.bed.server.requests).toHaveLength(2);
  });

  it.each<SpeechWay>(['POST', 'events'])(
    'take nothing of the request limit where they are refused, by %s',
    async (way) => {
      const ask = await speech.ask(way);
      const before = remainingOf(await ask());
      const waiting = ask();
      await eventually('an answer waits', 5, async () => (await metric('platform_audio_encoders_waiting')) === 1);

      await ask();
      speech.leave();
      await expect(waiting).rejects.toThrow();
      await untilFree();

      expect(before - remainingOf(await ask())).toBe(2);
    },
  );

  it('give their places back behind a model server that fails, before and within its answer', async () => {
    const isHeard = Promise.withResolvers<void>();
    const cutSound = { ...ENDLESS_SOUND, pieces: [...ENDLESS_SOUND.pieces, isHeard.promise], ending: 'cut' } as const;
    speech.bed.server.answer({ status: 500, pieces: ['{}'] }, cutSound);

    const failed = await (await speech.ask('POST'))();
    const cut = await (await speech.ask('POST'))();
    isHeard.resolve();

    expect(failed.status).toBe(502);
    await expect(cut.arrayBuffer()).rejects.toThrow();
    await untilFree();
  });

  const { env, key } = newServiceKey();
  const speech = useAskedSpeech({ ...env, AUDIO_ENCODERS: '4' }, 'mp3');
  afterEach(() => untilFree());

  const metric = (name: string): Promise<number> => metricValue(speech.bed.platform, key, name);
  const untilFree = (): Promise<unknown> =>
    eventually('all are free', 5, async () => (await metric('platform_audio_encoders')) === 0 && encoders() === 0);
});

function remainingOf({ headers }: Response): number {
  return Number(headers.get('x-ratelimit-remaining-requests'));
}

/** Processes of ffmpeg that were started for this one. */
function encoders(): number {
  const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return names.map(statusOf).filter(([name, parent]) => name === 'ffmpeg' && statusOf(parent)[1] === `${process.pid}`)
    .length;
}

function statusOf(pid: string): [name: string, parent: string] {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return [/^Name:\s*(\S+)/m.exec(status)?.[1] ?? '', /^PPid:\s*(\d+)/m.exec(status)?.[1] ?? ''];
  } catch {
    return ['', ''];
  }
}
