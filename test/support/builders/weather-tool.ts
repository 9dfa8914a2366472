import { response } from './response-streams.js';
import { completion } from '../servers/scripted-backend.js';
import type { Script } from '../servers/scripted-backend.js';

/** The parameters of a tool that tells the weather, as a JSON schema. */
export const WEATHER_PARAMETERS = { type: 'object', properties: { city: { type: 'string' } } };

/** What the model gives to the tool. */
export const WEATHER_ARGUMENTS = '{"city":"Bern"}';

const CALLED = { name: 'weather', arguments: WEATHER_ARGUMENTS };

/** A call of the tool, as chat completions carry it. */
export const WEATHER_CALL = { id: 'call_1', type: 'function', function: CALLED };

/** A call of the tool, as responses carry it. */
export const WEATHER_CALL_ITEM = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_1',
  ...CALLED,
  status: 'completed',
};

/** Answers a chat completion with a call of the tool. */
export function chatWeatherCall(): Script {
  const message = { role: 'assistant', content: null, tool_calls: [WEATHER_CALL] };
  return completion('', { choices: [{ index: 0, message, finish_reason: 'tool_calls' }] });
}

/** Answers a response with a call of the tool. */
export function responseWeatherCall(): Script {
  return response('', { output: [WEATHER_CALL_ITEM] });
}
