import { z } from 'zod';
import type { ConfigOf } from '../platform/config/config.js';
import { cidrs, flag, list, MEBIBYTE, url, whole } from '../platform/config/variables.js';
import { isLoopback } from '../platform/net/loopback.js';

/** Where the server listens, how tokens travel to it, and how much it takes at once. */
export const httpConfig = z
  .object({
    HOST: z
      .string()
      .default('127.0.0.1')
      .describe('Where to listen. Beyond loopback TLS is needed, see below. PORT=0 takes a free port.'),
    PORT: whole(0, 65_535).default(8080),
    PUBLIC_URL: url('http:', 'https:')
      .transform((text) => text.replace(/\/+$/, ''))
      .optional()
      .describe('The address that clients use, for links and as issuer of tokens, such as https://ai.example.com'),
    TLS_CERT_FILE: z
      .string()
      .optional()
      .describe(
        "TLS: a certificate of the server's own (PEM files), or proxies in front of it, as addresses or CIDRs.",
      ),
    TLS_KEY_FILE: z.string().optional(),
    TRUST_PROXY: cidrs
      .refine(
        (parts) => !parts.some((part) => Number(part.split('/')[1] ?? 1) === 0),
        'must name the proxies alone, not every address',
      )
      .default([]),
    ALLOW_PLAINTEXT: flag
      .default(false)
      .describe('Accept tokens without TLS from other machines. For tests in a closed network only.'),
    ALLOWED_ORIGINS: list
      .default([])
      .describe('Origins of web pages that may call this server, separated by commas; not set: only its own.'),
    MAX_JSON_BYTES: whole(1_024, 1_024 * MEBIBYTE)
      .default(10 * MEBIBYTE)
      .describe('The largest JSON body, and how many streams may be open at once.'),
    MAX_STREAMS: whole(1, 1_000_000).default(10_000),
    HELD_JSON_BYTES: whole(MEBIBYTE, Number.MAX_SAFE_INTEGER)
      .default(512 * MEBIBYTE)
      .describe(
        'How much the JSON bodies of requests in progress may take together, those of up to 16 KiB not counted: at most ' +
          'half of it for one tenant, a quarter for one user, and always MAX_JSON_BYTES.',
      ),
    MAX_UNATTENDED_CALLS: whole(0, 100_000)
      .default(256)
      .describe(
        'How many model calls with an Idempotency-Key may continue after their clients disconnected: at most half of them ' +
          'for one tenant, a quarter for one user. 0: every call stops when its client disconnects.',
      ),
    SHUTDOWN_SECONDS: whole(1, 3_600).default(30).describe('How long a shutdown may take.'),
  })
  .refine((variables) => Boolean(variables.TLS_CERT_FILE) === Boolean(variables.TLS_KEY_FILE), {
    path: ['TLS_CERT_FILE and TLS_KEY_FILE'],
    message: 'set both or neither',
  })
  .refine((variables) => !isExposed(variables), {
    path: ['HOST'],
    error: ({ input }) =>
      `${(input as { HOST: string }).HOST} is reachable from other machines, and tokens may travel over TLS only: set ` +
      'TLS_CERT_FILE and TLS_KEY_FILE, or TRUST_PROXY to the proxy that ends TLS (ALLOW_PLAINTEXT=true overrides)',
  })
  .describe('HTTP');

/** The settings of the server's HTTP side. */
export type HttpConfig = ConfigOf<typeof httpConfig>;

interface Exposure {
  readonly HOST: string;
  readonly TLS_CERT_FILE?: string;
  readonly TRUST_PROXY: readonly string[];
  readonly ALLOW_PLAINTEXT: boolean;
}

/** Whether tokens could come from other machines as plain text. */
function isExposed({ HOST, TLS_CERT_FILE, TRUST_PROXY, ALLOW_PLAINTEXT }: Exposure): boolean {
  return !isLoopback(HOST) && !TLS_CERT_FILE && TRUST_PROXY.length === 0 && !ALLOW_PLAINTEXT;
}
