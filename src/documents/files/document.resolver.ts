import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { Blob } from '../../graph/blob.types.js';
import { PageArgs } from '../../graph/connection.js';
import type { Connection } from '../../graph/connection.js';
import { requestLoader } from '../../graph/request-loader.js';
import { requireUpload, UploadScalar } from '../../graph/upload.js';
import { DocumentSession } from '../sessions/document-session.entity.js';
import { readRule, writeRule } from '../sessions/document-session.resolver.js';
import { Document, DocumentConnection, DocumentStatus } from './document.entity.js';
import type { DocumentsService } from './documents.service.js';

const DOCUMENTS_PATH = '/v1/document-analyzer/sessions/{id}/documents';
const SESSION = { description: 'The session.' };
const DOCUMENT = { description: 'One of its documents.' };
/** Of a session that is shown; the list of its documents has them all. */
const SHOWN = 100;

/** The documents of sessions. */
@Resolver(() => DocumentSession)
export class DocumentResolver {
  private readonly first = requestLoader<DocumentSession, Document[]>(
    (_context, sessions) =>
      this.service.firstOf(
        sessions.map(({ id }) => id),
        SHOWN,
      ),
    ({ id }) => id,
  );

  constructor(private readonly service: DocumentsService) {}

  @FieldResolver(() => [Document], {
    description: `Its first ${SHOWN} documents; \`documents\` of the graph lists all.`,
  })
  async documents(@Root() session: DocumentSession, @Ctx() context: RequestContext): Promise<Document[]> {
    return (await this.first(context).load(session)) ?? [];
  }

  @Access(readRule)
  @Query(() => DocumentConnection, { description: 'The documents of a session.' })
  sessionDocuments(
    @Arg('sessionId', () => ID, SESSION) sessionId: string,
    @Args(() => PageArgs) page: PageArgs,
    @Ctx() context: RequestContext,
    @Arg('status', () => DocumentStatus, { nullable: true, description: 'Those alone that are so far.' })
    status?: DocumentStatus | null,
  ): Promise<Connection<Document>> {
    return this.service.list(callerOf(context), sessionId, page, status);
  }

  @Access(readRule)
  @Query(() => Document, { description: 'A document of a session.' })
  sessionDocument(
    @Arg('sessionId', () => ID, SESSION) sessionId: string,
    @Arg('id', () => ID, DOCUMENT) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Document> {
    return this.service.get(callerOf(context), sessionId, id);
  }

  @Access(readRule)
  @Query(() => Blob, { description: 'Where the bytes of a document are fetched, as they were sent.' })
  sessionDocumentContent(
    @Arg('sessionId', () => ID, SESSION) sessionId: string,
    @Arg('id', () => ID, DOCUMENT) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Blob> {
    return this.service.content(callerOf(context), sessionId, id);
  }

  @Access(writeRule)
  @Mutation(() => [Document], {
    description: `Add documents to a session; they are read soon. Over REST alone: POST ${DOCUMENTS_PATH}.`,
  })
  addSessionDocuments(
    @Arg('sessionId', () => ID, SESSION) sessionId: string,
    @Ctx() context: RequestContext,
    @Arg('files', () => UploadScalar, { nullable: true, description: `Of a request to POST ${DOCUMENTS_PATH}.` })
    files?: unknown,
  ): Promise<Document[]> {
    const upload = requireUpload(files, DOCUMENTS_PATH);
    return this.service.add(callerOf(context), sessionId, upload, context.signal);
  }

  @Access(writeRule)
  @Mutation(() => Document, { description: 'Have a document read once more. What people have said of it stays.' })
  reprocessDocument(
    @Arg('sessionId', () => ID, SESSION) sessionId: string,
    @Arg('id', () => ID, DOCUMENT) id: string,
    @Ctx() context: RequestContext,
    @Arg('model', () => String, {
      nullable: true,
      description: 'Reads it from now on beside the rules; null: rules alone. Left out: as before.',
    })
    model?: string | null,
  ): Promise<Document> {
    return this.service.reprocess(callerOf(context), sessionId, id, model);
  }
}
