const CONTROLS = /[^\P{Cc}\t\n\r]/gu;
/** Ends a text that has no end of its own, so that the programs do not wait for more of its sentence. */
const SENTENCE_END = '.[]';
const TEXT_END = '[]';

/** Ends a text of the form of the stream, so that the programs answer it at once. */
export function toRequest(text: string): string {
  return text.replaceAll(CONTROLS, ' ') + endOf(text);
}

/** The text of an answer, without the end that it was given. @returns undefined where it is cut */
export function readAnswer(answer: string, text: string): string | undefined {
  const end = endOf(text);
  return answer.endsWith(end) ? answer.slice(0, -end.length) : undefined;
}

function endOf(text: string): string {
  return /[.!?]$/.test(text) ? TEXT_END : SENTENCE_END;
}
