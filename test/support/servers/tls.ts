import { fileURLToPath } from 'node:url';

const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/tls/${name}`, import.meta.url));

/** Start-up variables of a server with the certificate of `localhost`, which signs itself. */
export const TLS_ENV = { TLS_CERT_FILE: fixture('localhost.crt'), TLS_KEY_FILE: fixture('localhost.key') } as const;
