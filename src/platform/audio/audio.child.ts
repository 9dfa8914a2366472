/** The child process of `AudioProcessor`: it decodes one file after another. Types are stripped: erasable syntax only. */
import { serve } from '../extraction/child/serve.js';
import { AudioDecoder } from './decoding/audio-decoder.js';

const decoder = new AudioDecoder();
await serve((task, input, emit) => decoder.decode(task, input, emit));
