import type { Logger } from 'pino';
import type { Backend } from './backend.js';
import type { LibretranslateSettings, OpenaiSettings } from './backend-settings.js';
import { LibretranslateBackend } from './libretranslate/libretranslate-backend.js';
import { OpenaiBackend } from './openai/openai-backend.js';
import type { OpenaiBackendOptions } from './openai/openai-backend.js';

/** Those of a server that is reached over HTTP. */
export type ServerSettings = OpenaiSettings | LibretranslateSettings;

/** The backend of a server that is reached over HTTP. */
export function createServer(settings: ServerSettings, log: Logger, options: OpenaiBackendOptions): Backend {
  if (settings.kind === 'libretranslate') return new LibretranslateBackend(settings, log, options);
  return new OpenaiBackend(settings, log, options);
}
