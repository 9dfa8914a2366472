import { z } from 'zod';
import type { ConfigOf } from '../config/config.js';
import { whole } from '../config/variables.js';

/** The child processes that read files. */
export const extractionConfig = z
  .object({
    EXTRACTION_PROCESSES: whole(1, 64)
      .default(2)
      .describe('How many files are read at once, each in a process of its own; the others wait.'),
    EXTRACTION_SECONDS: whole(1, 86_400)
      .default(600)
      .describe('How long such a process may work on one file; recognizing the text of a scanned page takes 1-2 s.'),
    EXTRACTION_MEMORY_MIB: whole(256, 65_536)
      .default(1_536)
      .describe(
        'The memory that each may use, with the programs that it starts; the largest file, but for text formats, is a third of it.',
      ),
    EXTRACTION_OCR_LANGUAGES: z
      .string()
      .regex(/^[\w/-]{1,40}(\+[\w/-]{1,40}){0,9}$/, 'must be names of installed languages, such as eng+deu')
      .optional()
      .describe('Languages of scans, as tesseract names them, such as eng+deu; not set: those that are installed.'),
  })
  .describe('Reading files');

/** The settings of reading files. */
export type ExtractionConfig = ConfigOf<typeof extractionConfig>;
