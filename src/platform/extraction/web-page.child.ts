/** The child process of `WebPageReader`: it reads one web page after another. Types are stripped: erasable syntax only. */
import { serve } from './child/serve.js';
import { readWebPage } from './web/read-web-page.js';

await serve(readWebPage);
