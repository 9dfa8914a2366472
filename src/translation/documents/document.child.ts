/** The child process of `DocumentRewriter`: it reads or writes one document after another. Types are stripped: erasable syntax only. */
import { serve } from '../../platform/extraction/child/serve.js';
import { rewriteDocument } from './child/rewrite-document.js';

await serve(rewriteDocument);
