import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AnyJson } from '../support/probes/any-json.js';
import { eventually } from '../support/probes/eventually.js';
import { openLive, refusal } from '../support/servers/live-client.js';
import { RecordingProbe, silentWav } from '../support/builders/recordings.js';
import { startSpeechBed } from '../support/servers/speech-bed.js';
import type { SpeechBed } from '../support/servers/speech-bed.js';

let bed: SpeechBed;
beforeAll(async () => {
  bed = await startSpeechBed([{ models: ['heard', 'denied'] }, { models: ['speaks'], supports: ['speech'] }]);
  const path = `/v1/admin/tenants/${bed.caller.tenantId}/model-policy`;
  await bed.platform.request('PUT', path, { token: bed.token, body: { deny: ['denied'] } });
});
afterAll(() => bed.close());

describe('a model that is named for a transcription, wherever it is named', () => {
  it.each([
    ['nobody', 404, 'model_not_found'],
    ['denied', 409, 'model_not_allowed'],
    ['speaks', 409, 'capability_not_supported'],
  ])('is refused at once: %s', async (model, status, code) => {
    expect(await transcribed(model)).toEqual([status, code]);
    expect(await transcribedAnew(model)).toEqual([status, code]);
    expect(await openedLive(model)).toEqual([status, code]);
    expect(await updatedLive(model)).toEqual([code, null]);
  });
});

async function transcribed(model: string) {
  const form = new FormData();
  form.append('file', new File([new Uint8Array(silentWav(1))], 'said.wav'));
  form.append('model', model);
  const headers = { authorization: `Bearer ${bed.token}` };
  const url = `${bed.platform.url}/v1/echo/transcriptions`;
  const answer = await fetch(url, { method: 'POST', headers, body: form });
  return told(answer.status, (await answer.json()) as AnyJson);
}

async function transcribedAnew(model: string) {
  const recording = await RecordingProbe.create(bed.platform, bed.token);
  await recording.put(silentWav(1));
  await eventually('it is transcribed', 20, async () => (await recording.get()).status === 'completed');
  const { status, body } = await recording.request('POST', '/transcribe', { body: { model } });
  return told(status, body);
}

async function openedLive(model: string) {
  const { status, error } = await refusal(bed.platform.url, { token: bed.token, query: `?model=${model}` });
  return told(status, { error });
}

/** @returns the error of an update, and the model that the session has behind it */
async function updatedLive(model: string) {
  const client = await openLive(bed.platform.url, { token: bed.token });
  const update = (audio: object) =>
    client.send({ type: 'session.update', session: { type: 'transcription', audio: { input: audio } } });
  update({ transcription: { model } });
  update({ turn_detection: null });
  const { error } = await client.next('error');
  const { session } = await client.next('session.updated');
  client.socket.close();
  return [error.code, session.audio.input.transcription.model];
}

function told(status: number, { error }: AnyJson) {
  return [status, error?.code];
}
