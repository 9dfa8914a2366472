import { z } from 'zod';
import type { ConfigOf } from '../platform/config/config.js';

/** Sessions of documents have no settings of their own. */
export const documentsConfig = z.object({}).describe('Documents');

/** The settings of sessions of documents. */
export type DocumentsConfig = ConfigOf<typeof documentsConfig>;
