import { z } from 'zod';
import type { ConfigOf } from '../platform/config/config.js';
import { flag } from '../platform/config/variables.js';

/** What translation may be told: which engines there are is inference's to know. */
export const translationConfig = z
  .object({
    PREVIEW_DOCUMENT_TRANSLATION: flag
      .default(false)
      .describe('true: documents are translated, too, at POST /v1/translate/documents; that may still change.'),
  })
  .describe('Translation');

/** The settings of translation. */
export type TranslationConfig = ConfigOf<typeof translationConfig>;
