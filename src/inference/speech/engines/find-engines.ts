import type { Scratch } from '../../../platform/scratch/scratch.js';
import { EspeakEngine } from './espeak-engine.js';
import { FliteEngine } from './flite-engine.js';
import { PocketsphinxEngine } from './pocketsphinx-engine.js';
import type { SpeechEngine } from './speech-engine.js';

/** The engines that run on this machine, those first that are asked where no model is named. */
export async function findSpeechEngines(scratch: Scratch): Promise<readonly SpeechEngine[]> {
  const found = await Promise.all([PocketsphinxEngine.find(scratch), FliteEngine.find(), EspeakEngine.find()]);
  return found.filter((engine) => engine !== undefined);
}
