import type { TranscriptSegment } from '../transcripts.types.js';
import { SENTENCE_END } from '../segments.js';
import { speakerName } from './speaker-names.js';
import type { SpeakerNames } from './speaker-names.js';

/** A pause behind which a paragraph begins, in seconds. */
const PAUSE_SECONDS = 2;
/** A paragraph so long ends with its sentence, and one twice as long with its segment, in UTF-16 units. */
const LONG = 600;

type SpokenSegment = Pick<TranscriptSegment, 'start' | 'end' | 'text' | 'speaker'>;

/** Writes segments, a few at a time, as a text for people: what a speaker says in paragraphs, each speaker on a new line. */
export class PlainText {
  private last: SpokenSegment | undefined;
  private paragraphUnits = 0;

  constructor(private readonly names: SpeakerNames = {}) {}

  /** The text of segments behind those before. */
  add(segments: readonly SpokenSegment[]): string {
    return segments.map((segment) => this.addOne(segment)).join('');
  }

  private addOne(segment: SpokenSegment): string {
    const separator = this.separatorBefore(segment);
    const speaker = this.last?.speaker === segment.speaker ? null : speakerName(segment.speaker, this.names);
    this.paragraphUnits = (separator === ' ' ? this.paragraphUnits : 0) + segment.text.length;
    this.last = segment;
    return separator + (speaker === null ? '' : `${speaker}: `) + segment.text;
  }

  private separatorBefore({ speaker, start }: SpokenSegment): string {
    if (!this.last) return '';
    if (speaker !== this.last.speaker) return '\n';
    const isLong =
      this.paragraphUnits >= LONG && (SENTENCE_END.test(this.last.text) || this.paragraphUnits >= 2 * LONG);
    return isLong || start - this.last.end >= PAUSE_SECONDS ? '\n\n' : ' ';
  }
}
