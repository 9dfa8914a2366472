/** The child process that tells speakers apart. Types are stripped: erasable syntax only. */
import { serve } from '../../platform/extraction/child/serve.js';
import { tellApart } from './tell-apart.js';

await serve(tellApart);
