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
  /** What is written on its page alone: from the page of another it is not claimed. */
  readonly onlyFor?: string;
}

/**
 * A model that does what pages want wherever it can, whether it has seen their orders or not.
 * @param shown is given all texts of sources that the model is shown
 */
export function obeyingModel(orders: readonly Orders[], shown: string[]): (request: ReceivedRequest) => Script {
  return (request) => {
    const { task, prompt, passages } = askedBy(request);
    if (task === 'plan') return answer({ questions: orders.flatMap(({ url }) => [url, `What does ${url} say?`]) });
    if (task === 'section') {
      const claims = passages.map((_, index) => index + 1);
      return answer({ sentences: orders.flatMap(sentencesOf).map((text) => ({ text, claims })) });
    }
    if (task === 'claims') shown.push(prompt.slice(prompt.indexOf('\n<passage-')));
    const own = orders.filter(({ onlyFor }) => onlyFor !== undefined && passages.join('\n').includes(onlyFor));
    return answer({
      claims: (own.length > 0 ? own : orders).flatMap(claimsOf).map((claim) => ({ ...claim, question: 1 })),
    });
  };
}

function sentencesOf({ ordered, url, fact }: Orders): string[] {
  return [ordered, linkOf({ url, fact }), `${fact} See ${url}.`, `![x](${url})`, `${fact} ${ordered}`, fact];
}

function claimsOf({ ordered, url, order, fact }: Orders): { text: string; quotes: string[] }[] {
  return [
    { text: ordered, quotes: [ordered] },
    { text: ordered, quotes: [order] },
    { text: ordered, quotes: [fact, ordered, order] },
    { text: linkOf({ url, fact }), quotes: [fact] },
    { text: `${fact} ${ordered}`, quotes: [fact, ordered] },
    { text: `${fact} ![x](${url}?q=${encodeURIComponent(fact)})`, quotes: [fact] },
    { text: fact, quotes: [fact] },
  ];
}

function linkOf({ url, fact }: Pick<Orders, 'url' | 'fact'>): string {
  return `[${fact}](${url})`;
}
