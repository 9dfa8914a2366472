/** The child process of `WorkbookWriter`: it writes one workbook after another. Types are stripped: erasable syntax only. */
import { serve } from '../../../platform/extraction/child/serve.js';
import { writeWorkbook } from './write-workbook.js';

await serve(writeWorkbook);
