import { GraphQLScalarType } from 'graphql';
import { BadRequest } from '../errors.js';
import type { IncomingFile } from '../platform/blobs/incoming-file.js';

/** What is known of a file that has been stored. */
export interface StoredFile {
  /** In hexadecimal digits, of all its bytes. */
  readonly sha256: string;
}

/** What a request with files had. */
export interface ReceivedParts<File extends StoredFile> {
  readonly files: readonly File[];
  /** The texts beside them, by name; those of a part that came several times, a line each. */
  readonly fields: ReadonlyMap<string, string>;
}

/** The files of a request, of which nothing is read before somebody receives them. */
export abstract class Upload {
  /** Whether the request has no body at all, where it need not have one. */
  get isEmpty(): boolean {
    return false;
  }

  /**
   * Receives the files one after another, to be called once. Whoever calls it deletes what was stored where it throws.
   * @param store reads and stores a file
   * @throws what `store` throws; BadRequest where the body is malformed, or has too much of anything; ClientGone
   */
  abstract receive<File extends StoredFile>(store: (file: IncomingFile) => Promise<File>): Promise<ReceivedParts<File>>;
}

/** Files are bytes, which REST alone carries: over GraphQL there is no value of this type, and the resolver says so. */
export const UploadScalar = new GraphQLScalarType({
  name: 'Upload',
  description:
    'Files. They are sent over REST alone, as multipart/form-data; the description of the field names the path.',
});

/**
 * The files of a request.
 * @param path where they are to be sent
 * @param method how they are to be sent
 * @throws BadRequest where they did not come over REST
 */
export function requireUpload(value: unknown, path: string, method: 'POST' | 'PUT' = 'POST'): Upload {
  if (value instanceof Upload) return value;
  throw new BadRequest(`Files are sent over REST alone: ${method} them to ${path} as multipart/form-data.`);
}
