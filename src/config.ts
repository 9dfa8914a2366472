import { z } from 'zod';
import { domains } from './domains.js';
import type { DomainsConfig } from './domains.js';
import { httpConfig } from './http/config.js';
import type { HttpConfig } from './http/config.js';
import { readVariables } from './platform/config/config.js';
import type { ConfigOf } from './platform/config/config.js';
import { list } from './platform/config/variables.js';
import { platform } from './platform/platform.js';
import type { PlatformConfig } from './platform/platform.js';

const serverConfig = z
  .object({
    NODE_ENV: z
      .string()
      .default('development')
      .describe(
        'production: introspection is off, and the start prints neither example commands nor, without a terminal, a password.',
      ),
    DOMAINS: list.optional().describe('The domains to serve, separated by commas; not set: all of them.'),
  })
  .describe('Server');

/** Every variable that the server reads, in the order of `.env.example`, which is written from this. */
export const configShapes: readonly z.ZodObject[] = [
  serverConfig,
  httpConfig,
  ...platform.configs,
  ...domains.modules.map(({ config }) => config),
];

/** The server's settings. Units are in the names; what is undefined was not set. */
export type Config = ConfigOf<typeof serverConfig> & HttpConfig & PlatformConfig & DomainsConfig;

/**
 * Reads and checks all settings.
 * @throws ConfigError that lists every problem
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env): Config {
  return readVariables(configShapes, env) as Config;
}
