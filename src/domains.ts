import 'reflect-metadata';
import { DomainList } from './domain-module.js';
import { audit } from './audit/domain.js';
import { documents } from './documents/domain.js';
import { echo } from './echo/domain.js';
import { identity } from './identity/domain.js';
import { inference } from './inference/domain.js';
import { knowledge } from './knowledge/domain.js';
import { metering } from './metering/domain.js';
import { operations } from './operations/domain.js';
import type { DatabaseSchema } from './platform/database/data-source.js';
import { platform } from './platform/platform.js';
import { researcher } from './researcher/domain.js';
import { sanitizer } from './sanitizer/domain.js';
import { translation } from './translation/domain.js';

/** The domains, in order of dependence: each may use the ports of those before it, and never those behind. */
export const domains = new DomainList()
  .add(identity) // users, tenants, sign-in, tokens
  .add(audit) // what happened
  .add(metering) // the ledger of calls, quotas, limits, usage
  .add(inference) // models and what they answer
  .add(sanitizer) // what is kept from models
  .add(knowledge) // files that are searched, and answers from them
  .add(documents) // documents whose fields are read, and checked by people
  .add(researcher) // answers from the web and from knowledge bases, sentence by sentence with their proof
  .add(echo) // recordings, what was said in them, and speech
  .add(translation) // texts in other languages
  .add(operations); // how the server does

/** What the domains give to each other and to the transports. */
export type DomainPorts = (typeof domains)['types']['ports'];

/** The settings of all domains. */
export type DomainsConfig = (typeof domains)['types']['config'];

/** The tables of the platform and of all domains. */
export const schema: DatabaseSchema = {
  entities: [...platform.entities, ...domains.modules.flatMap(({ entities }) => entities)],
  migrations: [...platform.migrations, ...domains.modules.flatMap(({ migrations }) => migrations)],
  sealed: [...platform.sealed, ...domains.modules.flatMap(({ sealed = [] }) => sealed)],
};
