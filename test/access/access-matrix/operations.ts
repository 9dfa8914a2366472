import type { AccessExtension } from '../../../src/access/access-rule.js';
import type { App } from '../../../src/app.js';
import { askRest } from './ask.js';
import { endpointOperations } from './endpoint-operations.js';
import type { Operation } from './operation.js';
import { rootFieldOperations } from './root-field-operations.js';

/** The routes outside the REST engine and the graph, and who may ask them. */
const FIXED_ROUTES: Readonly<Record<string, AccessExtension>> = {
  '/': { public: 'a page without data' },
  '/.well-known/jwks.json': { public: 'public keys' },
  '/account': { public: 'the token of a mail is the credential of what it asks for' },
  '/dashboard': { public: 'it leads to a page without data' },
  '/docs': { public: 'it describes what is public' },
  '/graphiql': { public: 'a page without data' },
  '/health': { public: 'load balancers have no credential' },
  '/health/ready': { public: 'load balancers have no credential' },
  '/metrics': { rule: { credential: 'service' } },
  '/openapi.json': { public: 'it describes what is public' },
};

/**
 * Every operation of the served application, each with every id that it takes.
 * @throws Error that names what nobody has said how to ask
 */
export function operationsOf(app: App): readonly Operation[] {
  const fixed = Object.entries(FIXED_ROUTES).map(([path, access]) => fixedOperation(path, access));
  return [...endpointOperations(app.endpoints), ...rootFieldOperations(app), ...fixed];
}

function fixedOperation(path: string, access: AccessExtension): Operation {
  return {
    name: `GET ${path}`,
    access,
    effect: 'route',
    otherIds: [],
    valuesFor: async () => ({}),
    headersFor: () => ({}),
    send: (sender) => askRest(sender, { method: 'GET', path }),
  };
}
