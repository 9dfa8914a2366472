import type { AnyJson } from '../probes/any-json.js';
import { completion } from '../servers/scripted-backend.js';
import type { ReceivedRequest, Script } from '../servers/scripted-backend.js';

/** What a scripted model is asked in a session. */
export type ResearchTask = 'plan' | 'claims' | 'repair' | 'section';

/** A question of a session, as its prompt has it. */
export interface AskedModel {
  readonly task: ResearchTask;
  readonly prompt: string;
  /** What stands between fences. */
  readonly passages: readonly string[];
}

/** What is asked by a request. */
export function askedBy({ body }: ReceivedRequest): AskedModel {
  const prompt = String((body as AnyJson).messages[0].content);
  const passages = Array.from(
    prompt.matchAll(/<passage-(\w+) n="\d+"[^\n]*>\n([^]*?)\n<\/passage-\1>/g),
    ([, , text]) => String(text),
  );
  const isWritten = prompt.startsWith('Write the part');
  const task = prompt.startsWith('Below are claims')
    ? 'repair'
    : prompt.startsWith('Below are questions')
      ? 'claims'
      : 'plan';
  return { task: isWritten ? 'section' : task, prompt, passages };
}

/** A model that quotes the sentences with a word, word for word, and writes them into the report. */
export function honestModel(word: string): (request: ReceivedRequest) => Script {
  return (request) => {
    const { task, passages } = askedBy(request);
    if (task === 'plan') return answer({ questions: [] });
    if (task === 'section') {
      const sentences = passages.map((text, index) => ({ text: text.split('\n')[0], claims: [index + 1] }));
      return answer({ sentences });
    }
    const quotes = passages.flatMap((text) => text.match(/[^.\n]+\./g) ?? []).filter((text) => text.includes(word));
    return answer({ claims: quotes.map((quote) => ({ text: quote.trim(), question: 1, quotes: [quote.trim()] })) });
  };
}

/** A chat completion with JSON. */
export function answer(value: object): Script {
  return completion(JSON.stringify(value));
}
