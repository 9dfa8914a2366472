/** The child process of `Extractor`: it reads one file after another. Types are stripped: erasable syntax only. */
import { readFile } from './read-file.js';
import { serve } from './child/serve.js';

await serve(readFile);
