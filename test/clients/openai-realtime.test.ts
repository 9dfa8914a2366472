import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import OpenAI from 'openai';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { json } from '../support/servers/scripted-backend.js';
import { startSpeechBed } from '../support/servers/speech-bed.js';
import type { SpeechBed } from '../support/servers/speech-bed.js';
import { spokenSentence } from '../support/builders/spoken-sentence.js';
import { startTlsProxy } from '../support/servers/tls-proxy.js';
import type { TlsProxy } from '../support/servers/tls-proxy.js';
import { clientTitle } from './client-title.js';

const SENTENCE = 'The weather is very nice today.';

describe(clientTitle('openai'), () => {
  let bed: SpeechBed;
  let proxy: TlsProxy;
  let said: Buffer;

  beforeAll(async () => {
    bed = await startSpeechBed();
    proxy = await startTlsProxy(bed.platform.url);
    said = await recordingOf(bed, SENTENCE);
    bed.server.byDefault = () => json(200, { text: SENTENCE });
  });
  afterAll(() => Promise.all([proxy.close(), bed.close()]));

  it('transcribes live by its realtime client, over TLS', async () => {
    const client = open(bed.token);
    const types: string[] = [];
    client.on('event', ({ type }) => types.push(type));
    const completed = new Promise<string>((resolve, reject) => {
      client.on('conversation.item.input_audio_transcription.completed', ({ transcript }) => resolve(transcript));
      client.on('error', reject);
    });
    await once(client.socket, 'open');

    const input = {
      format: { type: 'audio/pcm', rate: 24_000 },
      transcription: { model: 'heard', language: 'en' },
      turn_detection: { type: 'server_vad' },
    } as const;
    client.send({ type: 'session.update', session: { type: 'transcription', audio: { input } } });
    for (let at = 0; at < said.length; at += 4_800)
      client.send({ type: 'input_audio_buffer.append', audio: said.subarray(at, at + 4_800).toString('base64') });

    expect(await completed).toBe(SENTENCE);
    expect(types).toEqual([
      'session.created',
      'session.updated',
      'input_audio_buffer.speech_started',
      'input_audio_buffer.speech_stopped',
      'input_audio_buffer.committed',
      'conversation.item.input_audio_transcription.delta',
      'conversation.item.input_audio_transcription.segment',
      'conversation.item.input_audio_transcription.completed',
    ]);
    client.close();
    await once(client.socket, 'close');
  });

  it('maps a bad event, and a refused credential, of the realtime client to its error', async () => {
    const client = open(bed.token);
    const bad = new Promise<{ error?: { code?: string | null; param?: string | null } | undefined }>((resolve) =>
      client.on('error', resolve),
    );
    await once(client.socket, 'open');
    client.send({ type: 'input_audio_buffer.append', audio: '!' });

    expect((await bad).error).toMatchObject({ type: 'invalid_request_error', param: 'audio' });
    client.close();

    const refused = open('nobody');
    const reason = await new Promise<Error>((resolve) => refused.on('error', resolve));
    expect(reason.message).toContain('401');
  });

  function open(apiKey: string): OpenAIRealtimeWS {
    const client = new OpenAI({ baseURL: `${proxy.url}/v1`, apiKey });
    return new OpenAIRealtimeWS({ intent: 'transcription', options: { ca: proxy.ca } }, client);
  }
});

/** A sentence between seconds of silence, 16 bits of 24 kHz. */
async function recordingOf(bed: SpeechBed, sentence: string): Promise<Buffer> {
  const silence = Buffer.alloc(24_000 * 2);
  const recording = Buffer.concat([silence, await spokenSentence(bed, sentence), silence]);
  await bed.forget();
  return recording;
}
