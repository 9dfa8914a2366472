import { Arg, Args, Ctx, ID, Mutation, Query, Resolver, Subscription } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { Blob } from '../../graph/blob.types.js';
import { PageArgs } from '../../graph/connection.js';
import type { Connection } from '../../graph/connection.js';
import { Deletion } from '../../graph/deletion.types.js';
import { requireUpload, UploadScalar } from '../../graph/upload.js';
import { KnowledgeFile, KnowledgeFileConnection, KnowledgeFileStatus } from './knowledge-file.entity.js';
import type { KnowledgeFilesService } from './knowledge-files.service.js';

const read = { credential: 'bearer', scope: 'knowledge:read' } as const;
const write = { credential: 'bearer', scope: 'knowledge:write' } as const;

const FILES_PATH = '/v1/knowledgebases/{id}/files';
const BASE = { description: 'The knowledge base.' };
const FILE = { description: 'One of its files.' };

/** The files of knowledge bases. */
@Resolver()
export class KnowledgeFileResolver {
  constructor(private readonly service: KnowledgeFilesService) {}

  @Access(read)
  @Query(() => KnowledgeFileConnection, { description: 'The files of a knowledge base.' })
  knowledgeFiles(
    @Arg('knowledgebaseId', () => ID, BASE) baseId: string,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
    @Arg('status', () => KnowledgeFileStatus, { nullable: true, description: 'Those alone that are so far.' })
    status?: KnowledgeFileStatus | null,
  ): Promise<Connection<KnowledgeFile>> {
    return this.service.list(callerOf(context), baseId, page, status);
  }

  @Access(read)
  @Query(() => KnowledgeFile, { description: 'A file of a knowledge base.' })
  knowledgeFile(
    @Arg('knowledgebaseId', () => ID, BASE) baseId: string,
    @Arg('id', () => ID, FILE) id: string,
    @Ctx() context: RequestContext,
  ): Promise<KnowledgeFile> {
    return this.service.get(callerOf(context), baseId, id);
  }

  @Access(read)
  @Query(() => Blob, { description: 'Where the bytes of a file are fetched, as they were sent.' })
  knowledgeFileContent(
    @Arg('knowledgebaseId', () => ID, BASE) baseId: string,
    @Arg('id', () => ID, FILE) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Blob> {
    return this.service.content(callerOf(context), baseId, id);
  }

  @Access(read)
  @Subscription(() => KnowledgeFile, {
    topics: 'unused',
    description: 'The files of a knowledge base as they change: how far they are, and what has become of them.',
  })
  knowledgeFileUpdated(
    @Arg('knowledgebaseId', () => ID, BASE) baseId: string,
    @Ctx() context: RequestContext,
  ): Promise<AsyncIterable<KnowledgeFile>> {
    return this.service.watch(callerOf(context), baseId);
  }

  @Access(write)
  @Mutation(() => [KnowledgeFile], {
    description: `Add files to a knowledge base; they are indexed soon. Over REST alone: POST ${FILES_PATH}.`,
  })
  addKnowledgeFile(
    @Arg('knowledgebaseId', () => ID, BASE) baseId: string,
    @Ctx() context: RequestContext,
    @Arg('files', () => UploadScalar, { nullable: true, description: `Of a request to POST ${FILES_PATH}.` })
    files?: unknown,
    @Arg('replace', () => Boolean, {
      nullable: true,
      description: 'Whether files of the base that have the same names are deleted; false by default.',
    })
    replace?: boolean | null,
  ): Promise<KnowledgeFile[]> {
    const upload = requireUpload(files, FILES_PATH);
    return this.service.add(callerOf(context), baseId, upload, { replaces: replace === true, signal: context.signal });
  }

  @Access(write)
  @Mutation(() => KnowledgeFile, { description: 'Have a file that failed read once more.' })
  retryKnowledgeFile(
    @Arg('knowledgebaseId', () => ID, BASE) baseId: string,
    @Arg('id', () => ID, FILE) id: string,
    @Ctx() context: RequestContext,
  ): Promise<KnowledgeFile> {
    return this.service.retry(callerOf(context), baseId, id);
  }

  @Access(write)
  @Mutation(() => Deletion, { description: 'Delete a file: no query finds it any more.' })
  async deleteKnowledgeFile(
    @Arg('knowledgebaseId', () => ID, BASE) baseId: string,
    @Arg('id', () => ID, FILE) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    await this.service.delete(callerOf(context), baseId, id);
    return { id, success: true };
  }
}
