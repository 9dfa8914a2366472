/** What people call the speakers, by their labels: `{S1: 'Ann'}`. */
export type SpeakerNames = Readonly<Record<string, string>>;

/** The name of a speaker, or the label where there is none; null stays null. */
export function speakerName(speaker: string | null, names: SpeakerNames): string | null {
  return speaker !== null && Object.hasOwn(names, speaker) ? (names[speaker] ?? speaker) : speaker;
}
