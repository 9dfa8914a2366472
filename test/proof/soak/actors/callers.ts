import { makeCall } from '../../../crash/client.js';
import type { CallResult } from '../../../crash/client.js';
import { ADMIN } from '../../../crash/replica.js';
import { MODEL, NO_IMAGES } from '../../../crash/upstream.js';
import { pause } from '../actor.js';
import type { Actor, Scene } from '../actor.js';
import { SILENCES } from '../silent-model.js';

/** The outcome of a call that was answered in full. */
export const GOOD = 'whole';

/** Whoever asks as one should, and must be answered in full, whatever the others do. */
export const goodCallers: Actor = {
  name: 'good calls',
  copies: 8,
  turn: async ({ site, random, signal, mark }) => {
    const pace = { pieces: random.between(1, 8), milliseconds: random.between(0, 40) };
    const call = { mark, stream: random.chance(0.5), pace, keepsAnswer: true };
    const result = await makeCall(site.anyLife(random), site.token, call);
    const outcome = outcomeOf(result, site.seen(mark));
    site.forget(mark);
    await pause(random.between(20, 200), signal);
    return outcome;
  },
};

/** Clients that leave in every phase of a call. */
export const leavers: Actor = {
  name: 'clients that leave',
  copies: 3,
  turn: async ({ site, random, signal, mark }) => {
    const pace = { pieces: random.between(1, 20), milliseconds: random.between(0, 40) };
    const call = { mark, stream: random.chance(0.7), pace, leavesAfterMs: random.between(0, 400) };
    const { sight } = await makeCall(site.anyLife(random), site.token, call);
    site.forget(mark);
    await pause(random.between(20, 200), signal);
    return sight;
  },
};

/** Callers whose request makes a good model server answer 500. */
export const poisoners: Actor = {
  name: 'poisoned calls',
  copies: 2,
  turn: async (scene) => {
    const { random, signal } = scene;
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const messages = [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }];
    const answer = await ask(
      scene,
      { model: MODEL, messages, stream: random.chance(0.5) },
      AbortSignal.timeout(30_000),
    );
    await pause(random.between(50, 300), signal);
    return `${answer.status}${answer.text.includes(NO_IMAGES) ? ', with the reason' : ''}`;
  },
};

/** Callers of model servers that never come to an end. */
export const silentCallers: Actor = {
  name: 'calls of silent models',
  copies: 8,
  turn: async (scene) => {
    const { random } = scene;
    const model = random.pick(SILENCES);
    const leaving = AbortSignal.timeout(random.chance(0.5) ? random.between(10, 500) : random.between(0, 30_000));
    const body = { model, messages: [{ role: 'user', content: 'Hello?' }], stream: random.chance(0.7) };
    try {
      const { status, isWhole } = await ask(scene, body, leaving);
      return `${status}${isWhole ? ', whole' : ''}`;
    } catch (error) {
      if (leaving.aborted) return 'left';
      throw error;
    }
  },
};

/** Signs one of the users in: their password is the administrator's. */
export async function signIn({ site, random }: Scene, email: string): Promise<SignedIn> {
  const response = await fetch(`${site.anyLife(random).origin}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...ADMIN, email }),
  });
  if (response.status !== 200) throw new Error(`a sign-in was answered with ${response.status}`);
  return (await response.json()) as SignedIn;
}

/** A session's tokens. */
export interface SignedIn {
  readonly access_token: string;
  readonly refresh_token: string;
}

async function ask({ site, random, mark }: Scene, body: object, signal: AbortSignal) {
  const response = await fetch(`${site.anyLife(random).origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${site.token}`, 'content-type': 'application/json', 'x-request-id': mark },
    body: JSON.stringify(body),
    signal,
  });
  const text = await response.text();
  return { status: response.status, text, isWhole: text.endsWith('data: [DONE]\n\n') };
}

function outcomeOf({ call, sight, status, reason, answer, usage }: CallResult, seen: Seen | undefined): string {
  if (sight !== 'whole') return `${sight} ${status ?? ''} ${reason?.replace(/:\d+$/, '') ?? ''}`.slice(0, 160);
  const words = answer?.match(/word /g)?.length;
  if (words !== call.pace.pieces) return `${words} of ${call.pace.pieces} pieces`;
  if (!call.stream && usage?.prompt_tokens !== seen?.promptTokens) return 'another usage than the model server told';
  return GOOD;
}

type Seen = NonNullable<ReturnType<Scene['site']['seen']>>;
