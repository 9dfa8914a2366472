import type { DataSource } from 'typeorm';
import { MoreThanOrEqual } from 'typeorm';
import { Unavailable } from '../../errors.js';
import type { Recording } from '../recordings/recording.entity.js';
import { PlainText } from '../transcripts/formats/plain-text.js';
import { speakerName } from '../transcripts/formats/speaker-names.js';
import { numberedCue, toSrtCues } from '../transcripts/formats/srt.js';
import { toVttCues, VTT_HEAD } from '../transcripts/formats/vtt.js';
import type { RecordedTranscript } from './transcript.entity.js';
import type { TranscriptFormat } from './transcript-format.js';
import { RecordedSegment } from './transcript-segment.entity.js';

const SEGMENTS_AT_ONCE = 100;

/** What of a recording stands in its transcript. */
type Described = Pick<Recording, 'id' | 'title' | 'speakers'>;

/** Writes transcripts, some segments at a time. */
export class TranscriptWriter {
  constructor(private readonly dataSource: DataSource) {}

  /** @throws Unavailable where it is replaced, twice, while it is written */
  async *write(
    recording: Described,
    transcript: RecordedTranscript,
    format: TranscriptFormat,
  ): AsyncGenerator<Uint8Array> {
    for await (const text of this.texts(recording, transcript, format)) yield Buffer.from(text);
  }

  private texts(recording: Described, transcript: RecordedTranscript, format: TranscriptFormat): AsyncIterable<string> {
    const pages = this.pages(transcript);
    if (format === 'json') return toJson(recording, transcript, pages);
    if (format === 'text') return toText(recording, pages);
    return toSubtitles(recording, pages, format);
  }

  private async *pages({ recordingId, run, segmentCount }: RecordedTranscript): AsyncGenerator<RecordedSegment[]> {
    const { manager } = this.dataSource;
    for (let first = 0; first < segmentCount; first += SEGMENTS_AT_ONCE) {
      const page = await manager.find(RecordedSegment, {
        where: { recordingId, run, position: MoreThanOrEqual(first) },
        order: { position: 'asc' },
        take: SEGMENTS_AT_ONCE,
      });
      if (page.length !== Math.min(SEGMENTS_AT_ONCE, segmentCount - first)) {
        throw new Unavailable('The transcript was replaced. Please fetch it once more.');
      }
      yield page;
    }
  }
}

async function* toJson(
  { id, speakers: names }: Described,
  transcript: RecordedTranscript,
  pages: AsyncIterable<RecordedSegment[]>,
): AsyncGenerator<string> {
  const { model, language, durationSeconds, speakers, warnings, createdAt } = transcript;
  const head = {
    object: 'echo.transcript',
    recording_id: id,
    model,
    language,
    duration_seconds: durationSeconds,
    speakers: speakers.map((label) => ({ label, name: speakerName(label, names) })),
    warnings,
    created_at: createdAt,
  };
  const texts: string[] = [];
  yield `${JSON.stringify(head).slice(0, -1)},"segments":[`;
  for await (const page of pages) {
    const written = page.map((segment) => JSON.stringify(toSegmentBody(segment, names)));
    yield (texts.length > 0 ? ',' : '') + written.join(',');
    texts.push(...page.map(({ text }) => text));
  }
  yield `],"text":${JSON.stringify(texts.join(' '))}}`;
}

function toSegmentBody(segment: RecordedSegment, names: Recording['speakers']) {
  const { position, start, end, text, speaker, lowConfidence, words } = segment;
  return { id: position, start, end, text, speaker: speakerName(speaker, names), low_confidence: lowConfidence, words };
}

async function* toText({ speakers }: Described, pages: AsyncIterable<RecordedSegment[]>): AsyncGenerator<string> {
  const text = new PlainText(speakers);
  let isEmpty = true;
  for await (const page of pages) {
    isEmpty = false;
    yield text.add(page);
  }
  if (!isEmpty) yield '\n';
}

async function* toSubtitles(
  { speakers }: Described,
  pages: AsyncIterable<RecordedSegment[]>,
  format: 'srt' | 'vtt',
): AsyncGenerator<string> {
  if (format === 'vtt') yield VTT_HEAD;
  let count = 0;
  for await (const page of pages) {
    const first = count + 1;
    const cues = format === 'srt' ? toSrtCues(page, speakers) : toVttCues(page, speakers);
    const written = format === 'srt' ? cues.map((cue, index) => numberedCue(cue, first + index)) : cues;
    // A blank line stands between cues, and behind the head.
    yield (format === 'vtt' || count > 0 ? '\n' : '') + written.join('\n');
    count += cues.length;
  }
}
