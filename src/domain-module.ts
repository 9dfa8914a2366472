import type { TokenReference } from './access/caller.js';
import type { z } from 'zod';
import type { Domain } from './graph/domain.js';
import type { HttpConfig } from './http/config.js';
import type { SocketEndpoint } from './http/socket-endpoint.js';
import type { Answer } from './http/web-page.js';
import type { PeriodicTask } from './platform/async/periodic.js';
import type { BlobReader } from './platform/blobs/readable-blob.js';
import type { ConfigOf } from './platform/config/config.js';
import type { DatabaseSchema } from './platform/database/data-source.js';
import type { Job, JobHandler, JobOwner, LimitedJobHandler } from './platform/jobs/job.types.js';
import type { Platform, PlatformConfig } from './platform/platform.js';
import type { HealthCheck } from './platform/telemetry/health.js';
import type { Gauge } from './platform/telemetry/metrics.js';

/** A user that is being erased. */
export interface ErasedUser {
  readonly id: string;
  readonly tenantId: string;
  /** What stands from now on where the user's id has to be replaced; nothing tells whose it was. */
  readonly pseudonym: string;
  /** What the audit log may call the user beside the id, since nobody knew yet, or any more, whom a name was for. */
  readonly identifiers: readonly string[];
}

/** The job that erases. */
export type Erasure = Pick<Job, 'signal' | 'transaction'>;

/** What a part of the server gives to those who serve all parts alike. */
export interface Contributions {
  /** Shown with the metrics. */
  readonly gauges?: readonly Gauge[];
  /** What `/health` tells, by its name there. */
  readonly health?: Readonly<Record<string, HealthCheck>>;
  /** Started when the part is there, stopped before it is closed. */
  readonly tasks?: readonly PeriodicTask[];
  /** By the kind of job. */
  readonly jobHandlers?: Readonly<Record<string, JobHandler | LimitedJobHandler>>;
  /** Whether jobs of a user may still be done; each part that says something must allow it. */
  permitsJob?(owner: JobOwner): Promise<boolean>;
  /** Whether a token still counts; each part that says something must allow it. */
  permitsToken?(token: TokenReference): Promise<boolean>;
  /** Whether there is a user, and nobody has deleted it; each part that says something must know it. */
  knowsUser?(id: string): Promise<boolean>;
  /** By the kind of blob. */
  readonly blobReaders?: Readonly<Record<string, BlobReader>>;
  /** Paths that are answered by web sockets. */
  readonly socketEndpoints?: readonly SocketEndpoint[];
  /** Web pages for people, by path. They need no credential, so they have no data. */
  readonly pages?: ReadonlyMap<string, Answer>;
  /**
   * Deletes what a user leaves behind here, in as many transactions as it takes. It is done again from its beginning
   * after a failure, or a crash in the middle. The user is nobody already: neither calls nor jobs begin any more.
   */
  eraseUser?(user: ErasedUser, erasure: Erasure): Promise<void>;
  /** As `eraseUser`, for what belongs to a tenant when all of its users are gone. */
  eraseTenant?(tenant: { readonly id: string }, erasure: Erasure): Promise<void>;
  /** Ends what is open; whatever was created later is closed already, and the platform is still there. */
  close?(): Promise<void>;
}

/** Whether all parts say so that say anything. */
export async function everyPart(
  contributions: readonly Contributions[],
  ask: (part: Contributions) => Promise<boolean> | undefined,
): Promise<boolean> {
  return (await Promise.all(contributions.map((part) => ask(part) ?? true))).every(Boolean);
}

/** Whether a user may still have anything done, as `everyPart` says when it is asked. */
export function permitsOf(contributions: () => readonly Contributions[]): (owner: JobOwner) => Promise<boolean> {
  return (owner) => everyPart(contributions(), (part) => part.permitsJob?.(owner));
}

/** A domain that has been created. */
export interface DomainParts<Ports extends object> extends Omit<Domain, 'name'>, Contributions {
  /** What later domains and the transports may use of it. */
  readonly ports: Ports;
}

/** What a domain is created with. */
export interface Host<Own> extends Platform {
  /** The settings of the server, and those of the domain. */
  readonly config: PlatformConfig & HttpConfig & { readonly nodeEnv: string } & Own;
  /** Of the platform and of every domain, in order; whole when all are created. */
  contributions(): readonly Contributions[];
}

/**
 * A domain: a folder of `src/`, a subgraph, and a folder of `schema/rest/`. Its `domain.ts` exports it.
 * @typeParam Shape its variables
 * @typeParam Needs the ports of earlier domains that it uses
 * @typeParam Ports what it gives itself
 */
export interface DomainModule<Shape extends z.ZodObject, Needs, Ports extends object> extends DatabaseSchema {
  readonly name: string;
  readonly config: Shape;
  // No method: those are checked less strictly, and a port that nobody gives would go unseen.
  readonly create: (host: Host<ConfigOf<Shape>>, ports: Needs) => Promise<DomainParts<Ports>>;
}

/** A module whose types have been checked, see `DomainList`. */
interface ListedModule extends DatabaseSchema {
  readonly name: string;
  readonly config: z.ZodObject;
  readonly create: (host: never, ports: never) => Promise<DomainParts<object>>;
}

/**
 * Modules in their order: each may need what earlier ones give. The compiler refuses a module whose needs nobody before
 * it meets, and one that gives what another gives already.
 */
export class DomainList<Ports extends object = object, Config = unknown> {
  // It exists for the compiler alone.
  declare readonly types: { readonly ports: Ports; readonly config: Config };

  constructor(readonly modules: readonly ListedModule[] = []) {}

  add<Shape extends z.ZodObject, Given extends object & { readonly [Port in keyof Ports]?: never }>(
    module: DomainModule<Shape, Ports, Given>,
  ): DomainList<Ports & Given, Config & ConfigOf<Shape>> {
    return new DomainList([...this.modules, module]);
  }
}
