/** What each program does with its generated client, and tells. */
export interface Report {
  readonly models: readonly string[];
  /** The text of a chat completion, whole and as it was streamed. */
  readonly answer: string | null | undefined;
  readonly streamed: string;
  readonly token: {
    /** Its id after the rotation. */
    readonly id: string;
    readonly hasNewSecret: boolean;
    /** How deleting it, and asking for it afterwards, was answered. */
    readonly deleted: number;
    readonly gone: number;
  };
  /** The code and the field at fault of a refused request. */
  readonly refused: { readonly code: string | undefined; readonly param: string | undefined };
}

/** Where the server is, and who signs in. */
export const { PLATFORM_URL = '', EMAIL: email = '', PASSWORD: password = '' } = process.env;

/** The request of a chat completion that the builtin model answers. */
export const QUESTION = {
  model: 'builtin-extractive',
  messages: [
    { role: 'system' as const, content: 'The office opens at nine. Lunch is served at noon.' },
    { role: 'user' as const, content: 'When is lunch?' },
  ],
};

/** Hands the report to the test. */
export function tell(report: Report): void {
  console.log(JSON.stringify(report));
}

/** The data of each event of a stream that ends with `[DONE]`. */
export async function* eventsOf<T>(body: ReadableStream<Uint8Array>): AsyncGenerator<T> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const bytes of body) {
    const events = (text + decoder.decode(bytes, { stream: true })).split('\n\n');
    text = events.pop() ?? '';
    for (const event of events) {
      const data = event.replace(/^data: /, '');
      if (data === '[DONE]') return;
      yield JSON.parse(data) as T;
    }
  }
  throw new Error('The stream ended early.');
}
