import { BadRequest } from '../../errors.js';
import { isJsonObject } from '../../platform/json/json-object.js';
import { toFileName } from '../../platform/text/file-name.js';
import { checkedName } from '../../platform/text/name.js';
import type { Recording, SpeakerNames } from './recording.entity.js';
import type { RecordingInput, RecordingPatch } from './recording.inputs.js';

const MAX_TITLE = 200;
const MAX_SPEAKER = 100;
const MAX_SPEAKERS = 100;
/** Labels as transcripts have them, those of engines too. */
const LABEL = /^[\p{L}\p{N}_ .-]{1,50}$/u;
/** BCP 47, without what nobody says of speech. */
const LANGUAGE = /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8}){0,3}$/;

type Settings = Pick<Recording, 'title' | 'filename' | 'language' | 'diarizationEnabled' | 'method' | 'quality'>;

/** What a recording is made with. @throws BadRequest that names the field */
export function checkedRecording(input: RecordingInput): Settings {
  return {
    title: checkedName(input.title, MAX_TITLE, 'title'),
    filename: checkedFilename(input.filename ?? ''),
    language: checkedLanguage(input.language ?? ''),
    diarizationEnabled: input.diarizationEnabled ?? false,
    method: input.method ?? 'upload',
    quality: input.quality ?? 'standard',
  };
}

/** What changes of a recording. @throws BadRequest that names the field */
export function checkedPatch(
  patch: RecordingPatch,
  recording: Pick<Recording, 'speakers'>,
): Partial<Settings & Pick<Recording, 'speakers'>> {
  const { title, filename, language, diarizationEnabled, speakers } = patch;
  const given = Object.entries({ title, filename, language, diarizationEnabled, speakers });
  for (const [field, value] of given) if (value === null) throw new BadRequest(`${field} must not be null.`, field);
  return {
    ...(isGiven(title) && { title: checkedName(title, MAX_TITLE, 'title') }),
    ...(isGiven(filename) && { filename: checkedFilename(filename) }),
    ...(isGiven(language) && { language: checkedLanguage(language) }),
    ...(isGiven(diarizationEnabled) && { diarizationEnabled }),
    ...(isGiven(speakers) && { speakers: checkedSpeakers(speakers, recording.speakers) }),
  };
}

/** A language as it is kept. @throws BadRequest */
export function checkedLanguage(language: string): string {
  const trimmed = language.trim();
  if (trimmed === '' || LANGUAGE.test(trimmed)) return trimmed;
  throw new BadRequest('language must be a language such as en or pt-BR, or empty.', 'language');
}

function checkedFilename(filename: string): string {
  return filename.trim() === '' ? '' : toFileName(filename, '');
}

/** The names with those that were given; null takes one back. */
function checkedSpeakers(given: unknown, before: SpeakerNames): SpeakerNames {
  if (!isJsonObject(given)) throw new BadRequest('speakers must be an object of names by labels.', 'speakers');
  const names: Record<string, string> = { ...before };
  for (const [label, name] of Object.entries(given)) {
    if (!LABEL.test(label)) throw new BadRequest(`speakers: ${label.slice(0, 50)} is no label.`, 'speakers');
    if (name === null) delete names[label];
    else if (typeof name === 'string') names[label] = checkedName(name, MAX_SPEAKER, 'speakers');
    else throw new BadRequest(`speakers.${label} must be a text, or null.`, 'speakers');
  }
  if (Object.keys(names).length > MAX_SPEAKERS) {
    throw new BadRequest(`speakers may have ${MAX_SPEAKERS} names at most.`, 'speakers');
  }
  return names;
}

function isGiven<T>(value: T | null | undefined): value is T {
  return value !== null && value !== undefined;
}
