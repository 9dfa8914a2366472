/** The child process of `AudioProcessor`: it decodes one file after another. Types are stripped: erasable syntax only. */
import { serve } from '../extraction/child/serve.js';
import { decodeAudio } from './decoding/decode-audio.js';

await serve(decodeAudio);
