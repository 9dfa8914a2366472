import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { awaitHealth } from '../../support/probes/awaited-health.js';
import { heard } from '../../support/probes/heard-speech.js';
import { spoken } from '../../support/builders/audio.js';
import { eventually } from '../../support/probes/eventually.js';
import { RecordingProbe } from '../../support/builders/recordings.js';
import { HAS_FFMPEG } from '../../support/servers/services.js';
import { startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';

describe('the health of speech', () => {
  let bed: SpeechBed;
  beforeAll(async () => {
    bed = await startSpeechBed([{ supports: ['transcribe'] }]);
  });
  afterAll(() => bed.close());

  it('has the engines, and the transcriptions that wait and run', async () => {
    let answer: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    bed.server.byDefault = (request) => heard(request, 'good morning', held);
    const before = await health();
    const audio = spoken('The meeting begins at nine.');
    const recordings = await Promise.all([1, 2, 3].map(() => RecordingProbe.create(bed.platform, bed.token)));
    for (const recording of recordings) await recording.put(audio);

    // Two at once of a user: the third one waits.
    await eventually('the others run', 30, async () => (await health()).body.queue.running === 2);
    const meanwhile = await health();
    answer();
    // For a moment none runs, before the one that waits begins.
    await eventually('all are done', 60, async () => {
      const { running, waiting } = (await health()).body.queue;
      return running + waiting === 0;
    });
    const after = await health();

    expect(before).toMatchObject({
      status: 200,
      body: {
        object: 'echo.health',
        status: 'ok',
        engines: expect.arrayContaining([{ model: 'heard', operations: ['transcribe'], ok: true }]) as unknown,
        ffmpeg: HAS_FFMPEG,
        queue: { waiting: 0, running: 0, oldest_seconds: null },
      },
    });
    expect(meanwhile.body.queue).toEqual({ waiting: 1, running: 2, oldest_seconds: expect.any(Number) });
    expect(after.body.queue).toEqual({ waiting: 0, running: 0, oldest_seconds: null });
  });

  it('is in the health of the server, as states', async () => {
    const { body } = await awaitHealth(bed.platform, ({ checks }) => checks.transcriptions === 'ok');
    const graph = await bed.platform.graphql('{ health { checks { speech transcriptions } } }');

    expect(body.checks).toMatchObject({ speech: 'ok', transcriptions: 'ok' });
    // On a busy machine a check may be late.
    const transcriptions = expect.stringMatching(/^(ok|degraded)$/);
    expect(graph.body.data.health.checks).toEqual({ speech: 'ok', transcriptions });
  });

  function health() {
    return bed.platform.request('GET', '/v1/echo/health', { token: bed.token });
  }
});
