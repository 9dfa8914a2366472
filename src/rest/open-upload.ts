import type { IncomingMessage } from 'node:http';
import type { Upload } from '../graph/upload.js';
import { isMultipart, MultipartUpload } from './multipart-upload.js';
import { RawUpload } from './raw-upload.js';
import type { UploadOptions } from './upload-options.js';

/** The files of a request's body. @throws UnsupportedMediaType where the body is of a type that is not taken */
export function openUpload(request: IncomingMessage, options: UploadOptions): Upload {
  const isRaw = options.parts.raw.length > 0 && !isMultipart(request);
  return isRaw ? new RawUpload(request, options) : new MultipartUpload(request, options);
}
