import { Call } from './metering/call.entity.js';
import { Metering1763600000001 } from './migrations/1763600000001-metering.js';

/** Every entity class. */
export const entities = [Call];

/** Every migration, in order. */
export const migrations = [Metering1763600000001];
