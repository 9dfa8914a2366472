import { Arg, Ctx, ID, Mutation, Query, Resolver, Subscription } from 'type-graphql';
import { Access, callerOf } from '../../../access/access-rule.js';
import type { RequestContext } from '../../../context.js';
import { Blob } from '../../../graph/blob.types.js';
import { Deletion } from '../../../graph/deletion.types.js';
import { requireUpload, UploadScalar } from '../../../graph/upload.js';
import { DocumentTranslation } from './document-translation.entity.js';
import type { DocumentTranslationsService } from './document-translations.service.js';

const DOCUMENTS_PATH = '/v1/translate/documents';
const rule = { credential: 'bearer', scope: 'translate:write' } as const;
const DOCUMENT = { description: 'One of the caller’s own.' };

/** Documents in other languages. A preview: it is off unless the operator sets `PREVIEW_DOCUMENT_TRANSLATION`. */
@Resolver()
export class DocumentTranslationResolver {
  constructor(private readonly service: DocumentTranslationsService) {}

  @Access(rule)
  @Query(() => DocumentTranslation, { description: 'How far the translation of a document is. A preview.' })
  documentTranslation(
    @Arg('id', () => ID, DOCUMENT) id: string,
    @Ctx() context: RequestContext,
  ): Promise<DocumentTranslation> {
    return this.service.get(callerOf(context), id);
  }

  @Access(rule)
  @Query(() => Blob, { description: 'Where a document in the other language is fetched. A preview.' })
  documentTranslationContent(@Arg('id', () => ID, DOCUMENT) id: string, @Ctx() context: RequestContext): Promise<Blob> {
    return this.service.content(callerOf(context), id);
  }

  @Access(rule)
  @Subscription(() => DocumentTranslation, {
    topics: 'unused',
    description: 'The translation of a document as it is, and then whenever it has changed. A preview.',
  })
  documentTranslationUpdated(
    @Arg('id', () => ID, DOCUMENT) id: string,
    @Ctx() context: RequestContext,
  ): Promise<AsyncIterable<DocumentTranslation>> {
    return this.service.watch(callerOf(context), id);
  }

  @Access(rule)
  @Mutation(() => DocumentTranslation, {
    description: `Have a document translated soon. A preview, over REST alone: POST ${DOCUMENTS_PATH}.`,
  })
  translateDocument(
    @Ctx() context: RequestContext,
    @Arg('file', () => UploadScalar, { nullable: true, description: `Of a request to POST ${DOCUMENTS_PATH}.` })
    file?: unknown,
  ): Promise<DocumentTranslation> {
    return this.service.add(callerOf(context), requireUpload(file, DOCUMENTS_PATH), context.signal);
  }

  @Access(rule)
  @Mutation(() => Deletion, { description: 'Delete a document and its translation, at any time. A preview.' })
  async deleteDocumentTranslation(
    @Arg('id', () => ID, DOCUMENT) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Deletion> {
    await this.service.delete(callerOf(context), id);
    return { id, success: true };
  }
}
