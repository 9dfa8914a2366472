import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { WebSocket } from 'ws';
import { openLive } from '../../support/servers/live-client.js';
import { setQuota } from '../../support/builders/quota.js';
import { json } from '../../support/servers/scripted-backend.js';
import { startSpeechBed } from '../../support/servers/speech-bed.js';
import type { SpeechBed } from '../../support/servers/speech-bed.js';
import { spokenSentence } from '../../support/builders/spoken-sentence.js';

describe('a live session', () => {
  let bed: SpeechBed;
  let spoken: Buffer;
  beforeAll(async () => {
    bed = await startSpeechBed();
    spoken = await spokenSentence(bed, TEXT);
    await bed.forget();
  });
  afterAll(() => bed.close());
  afterEach(() => bed.forget());
  afterEach(() => void jest.restoreAllMocks());

  it('is cut off when its token is revoked, also where its peer answers no close and goes on to send', async () => {
    const { access_token: token, refresh_token } = await bed.platform.login();
    const client = await openLive(bed.platform.url, { token });
    await client.next('session.created');
    // What ws itself would answer to a close.
    const { _receiver: receiver } = client.socket as unknown as {
      _receiver: { removeAllListeners(name: string): void };
    };
    receiver.removeAllListeners('conclude');
    const sending = setInterval(() => client.socket.send(SILENCE), 20);

    await bed.platform.request('POST', '/v1/auth/logout', { token, body: { refresh_token } });
    const cutOff = jest.spyOn(WebSocket.prototype, 'terminate');
    await client.closed;
    clearInterval(sending);

    // By the server, which gives it a second to answer: ws itself destroys the connection after thirty.
    expect(cutOff).toHaveBeenCalled();
    expect(client.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'unauthorized' } });
  });

  it('tells each turn as failed once the quota of audio is used up, and asks no engine', async () => {
    bed.server.byDefault = () => json(200, { text: TEXT, segments: [{ start: 0.3, end: 1.5, text: TEXT }] });
    const client = await openLive(bed.platform.url, { token: bed.token });
    client.say(Buffer.concat([SILENCE, spoken, SILENCE]));
    await client.next(`${ITEM}.completed`);
    const asked = bed.server.requests.length;

    const set = await setQuota(bed, { enforcing: true, audio_seconds: 1 });
    client.say(Buffer.concat([spoken, SILENCE]));
    const { error } = await client.next(`${ITEM}.failed`);
    await setQuota(bed, { enforcing: false });
    client.say(Buffer.concat([spoken, SILENCE]));
    const { transcript } = await client.next(`${ITEM}.completed`, 2);
    client.socket.close();

    expect(set.status).toBe(200);
    expect(error).toMatchObject({ type: 'rate_limit_exceeded', code: 'rate_limit_exceeded' });
    expect(bed.server.requests).toHaveLength(asked + 1);
    expect(transcript).toBe(TEXT);
  });
});

const SILENCE = Buffer.alloc(24_000 * 2);

const ITEM = 'conversation.item.input_audio_transcription';

const TEXT = 'The weather is very nice today.';
