import { Arg, Args, Ctx, ID, Mutation, Query, Resolver, Subscription } from 'type-graphql';
import { Access, callerOf } from '../../../access/access-rule.js';
import type { RequestContext } from '../../../context.js';
import { PageArgs } from '../../../graph/connection.js';
import type { Connection } from '../../../graph/connection.js';
import { DirectorySync, DirectorySyncConnection } from './directory-sync.entity.js';
import type { DirectorySyncsService } from './directory-syncs.service.js';

const read = { credential: 'bearer', scope: 'admin:read', privilege: 'admin' } as const;
const write = { credential: 'bearer', scope: 'admin:write', privilege: 'admin' } as const;

/** Directory syncs, for administrators. */
@Resolver()
export class DirectorySyncResolver {
  constructor(private readonly service: DirectorySyncsService) {}

  @Access(write)
  @Mutation(() => DirectorySync, { description: "Bring the accounts of a directory's people up to date." })
  startDirectorySync(
    @Arg('directoryId', () => ID, { description: 'An identity provider of the kind `ldap`.' }) directoryId: string,
    @Ctx() context: RequestContext,
    @Arg('full', () => Boolean, { nullable: true, description: 'Read everybody, and suspend who has vanished.' })
    full?: boolean | null,
    @Arg('dryRun', () => Boolean, { nullable: true, description: 'Only tell what it would do.' })
    dryRun?: boolean | null,
    @Arg('force', () => Boolean, { nullable: true, description: 'Suspend however many.' }) force?: boolean | null,
  ): Promise<DirectorySync> {
    return this.service.start(callerOf(context), directoryId, { full, dryRun, force });
  }

  @Access(read)
  @Query(() => DirectorySyncConnection, { description: 'The syncs of a directory.' })
  directorySyncs(
    @Arg('directoryId', () => ID, { description: 'One that the caller administers.' }) directoryId: string,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
  ): Promise<Connection<DirectorySync>> {
    return this.service.list(callerOf(context), directoryId, page);
  }

  @Access(read)
  @Query(() => DirectorySync, { description: 'A sync of a directory.' })
  directorySync(
    @Arg('id', () => ID, { description: 'Of a directory that the caller administers.' }) id: string,
    @Ctx() context: RequestContext,
    @Arg('directoryId', () => ID, { nullable: true, description: 'Where it is given, only one of this directory.' })
    directoryId?: string | null,
  ): Promise<DirectorySync> {
    return this.service.get(callerOf(context), id, directoryId);
  }

  @Access(read)
  @Subscription(() => DirectorySync, {
    topics: 'unused',
    description: 'A sync now, and whenever it has gone on, until it is over.',
  })
  directorySyncUpdated(
    @Arg('id', () => ID, { description: 'Of a directory that the caller administers.' }) id: string,
    @Ctx() context: RequestContext,
  ): AsyncIterable<DirectorySync> {
    return this.service.watch(callerOf(context), id);
  }
}
