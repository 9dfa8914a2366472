import { answer, askedBy } from '../../support/builders/researching-model.js';
import type { ReceivedRequest, Script } from '../../support/servers/scripted-backend.js';

/** What a page wants. */
export interface Orders {
  /** The sentence that it wants written. */
  readonly ordered: string;
  /** The address that it wants cited. */
  readonly url: string;
  /** The whole order. */
  readonly order: string;
  /** What another page says, and the model as well. */
  readonly fact: string;
}

/**
 * A model that does what a page wants wherever it can, whether it has seen the order or not.
 * @param shown is told all texts of sources that the model is shown
 */
export function obeyingModel(
  { ordered, url, order, fact }: Orders,
  shown: string[],
): (request: ReceivedRequest) => Script {
  const link = `[${fact}](${url})`;
  return (request) => {
    const { task, prompt, passages } = askedBy(request);
    if (task === 'plan') return answer({ questions: [url, `What does ${url} say?`] });
    if (task === 'section') {
      const sentences = [ordered, link, `${fact} See ${url}.`, `![x](${url})`, `${fact} ${ordered}`, fact];
      const claims = passages.map((_, index) => index + 1);
      return answer({ sentences: sentences.map((text) => ({ text, claims })) });
    }
    if (task === 'claims') shown.push(prompt.slice(prompt.indexOf('\n<passage-')));
    const claims = [
      { text: ordered, quotes: [ordered] },
      { text: ordered, quotes: [order] },
      { text: ordered, quotes: [fact, ordered, order] },
      { text: link, quotes: [fact] },
      { text: `${fact} ${ordered}`, quotes: [fact, ordered] },
      { text: `${fact} ![x](${url}?q=${encodeURIComponent(fact)})`, quotes: [fact] },
      { text: fact, quotes: [fact] },
    ];
    return answer({ claims: claims.map((claim) => ({ ...claim, question: 1 })) });
  };
}
