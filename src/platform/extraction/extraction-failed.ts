import type { FailureReason } from './extraction.types.js';

const SENTENCES: Readonly<Record<FailureReason, string>> = {
  encrypted: 'The file is protected by a password.',
  malformed: 'The file is damaged, or is not what it seems to be.',
  too_large: 'The file holds more than can be read.',
  bomb: 'The file is built in a way that exhausts whoever reads it.',
  timeout: 'The file took too long to read.',
  out_of_memory: 'The file needs more memory to read than it may have.',
  unsupported: 'The file is of a kind that is not read.',
  ocr_missing: 'The file is a scan or an image, and text recognition is not installed.',
  empty: 'The file holds no text.',
  interrupted: 'Reading the file was interrupted.',
};

/** What a child says, where it is one of the reasons that are known. */
export function isFailureReason(reason: string): reason is FailureReason {
  return Object.hasOwn(SENTENCES, reason);
}

/** A file cannot be read. The message is a sentence for users, and holds nothing of the file. */
export class ExtractionFailed extends Error {
  readonly reason: FailureReason;

  constructor(reason: FailureReason, sentence: string = SENTENCES[reason]) {
    super(sentence);
    this.name = 'ExtractionFailed';
    this.reason = reason;
  }
}
