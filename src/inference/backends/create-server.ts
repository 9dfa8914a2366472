import type { Logger } from 'pino';
import type { Backend } from './backend.js';
import { LibretranslateBackend } from './libretranslate/libretranslate-backend.js';
import { OpenaiBackend } from './openai/openai-backend.js';
import type { ServerOptions, ServerSettings } from './server-backend.js';

/** The backend of a server that is reached over HTTP. */
export function createServer(settings: ServerSettings, log: Logger, options: ServerOptions): Backend {
  if (settings.kind === 'libretranslate') return new LibretranslateBackend(settings, log, options);
  return new OpenaiBackend(settings, log, options);
}
