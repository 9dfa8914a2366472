/** A request that the clients of a benchmark make over and over. */
export interface Ask {
  readonly path: string;
  /** @param connection the number of the connection: each has a conversation of its own */
  body(connection: number): object;
  /**
   * Whether an answer is all there.
   * @param tail its end
   * @param length of all of it
   */
  isWhole(tail: string, length: number): boolean;
}

const FACTS = 'The office opens at nine. Lunch is at noon. '.repeat(5);
const question = (connection: number) => `When is lunch on day ${connection}?`;

function chatBody(model: string, connection: number): object {
  const messages = [
    { role: 'system', content: FACTS },
    { role: 'user', content: question(connection) },
  ];
  return { model, messages };
}

/** A chat that is answered in one piece. */
export const wholeChat: Ask = {
  path: '/v1/chat/completions',
  body: (connection) => ({ ...chatBody('plain', connection), stream: false }),
  isWhole: (tail) => tail.endsWith('}'),
};

/** A chat that is answered in 200 events, all at once, with a number in each. */
export const burstChat: Ask = {
  path: '/v1/chat/completions',
  body: (connection) => ({ ...chatBody('burst', connection), stream: true }),
  isWhole: (tail) => tail.endsWith('data: [DONE]\n\n'),
};

/** A chat that is answered in 200 events of prose, all at once. */
export const proseChat: Ask = {
  ...burstChat,
  body: (connection) => ({ ...chatBody('prose', connection), stream: true }),
};

/** A chat that is answered in so many events, 20 a second. */
export function pacedChat(events: number): Ask {
  return {
    path: '/v1/chat/completions',
    body: (connection) => ({ ...chatBody('paced', connection), stream: true, max_tokens: events }),
    isWhole: burstChat.isWhole,
  };
}

const responsesBody = (model: string, connection: number) => ({
  model,
  instructions: FACTS,
  input: question(connection),
});

/** A response in one piece. */
export const wholeResponse: Ask = {
  path: '/v1/responses',
  body: (connection) => responsesBody('plain', connection),
  isWhole: (tail) => tail.endsWith('}'),
};

/** A response with 200 pieces of text, all at once. */
export const burstResponse: Ask = {
  path: '/v1/responses',
  body: (connection) => ({ ...responsesBody('burst', connection), stream: true }),
  // Only the last event tells the usage, near its end.
  isWhole: (tail) => tail.endsWith('}}\n\n') && tail.includes('"total_tokens":220', tail.length - 200),
};

/** The fewest characters of a vector of 384 32-bit floats: base64 is the shorter form. */
const VECTOR_CHARACTERS = 2_048;

/** Vectors of so many texts of about 60 tokens. */
export function embeddings(inputs: number, format: 'base64' | 'float'): Ask {
  const text = (index: number) => `Passage ${index}. ${FACTS}`;
  return {
    path: '/v1/embeddings',
    body: () => ({
      model: 'embedder',
      input: Array.from({ length: inputs }, (_, index) => text(index)),
      encoding_format: format,
    }),
    isWhole: (tail, length) => tail.endsWith('}') && length > inputs * VECTOR_CHARACTERS,
  };
}
