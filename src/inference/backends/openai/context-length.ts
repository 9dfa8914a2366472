/** What servers call a prompt that is longer than the context of its model, in `type` or `code`. */
const NAMES = new Set<unknown>([
  'exceed_context_size_error',
  'context_length_exceeded',
  'context_window_exceeded',
  'model_context_window_exceeded',
]);

/**
 * How servers word it that have no name for it. Each phrase stands for the request as a whole, so that no refusal of a
 * bound of the answer alone, and no limit of tokens a minute, is taken for it.
 */
const PHRASES: Readonly<Record<string, readonly RegExp[]>> = {
  'OpenAI, vLLM, SGLang, DeepSeek, OpenRouter': [/\bmaximum context length (is|of)\b/i],
  OpenAI: [/\bexceeds? the context window\b/i],
  vLLM: [
    /\blonger than the maximum model length\b/i,
    // What is left for the answer where the prompt takes more than there is; -1 may be what a client asked for.
    /\bmax_(completion_)?tokens must be at least 1, got -(?!1\b)\d/i,
    /\bInput prompt \(\d+ tokens\) is too long\b/i,
  ],
  SGLang: [
    /\bis longer than the model's context length\b/i,
    /\bexceeds the maximum allowed length \(\d+ tokens\)/i,
    /\bexceeds (the )?model's maximum context length\b/i,
  ],
  'text-generation-inference, text-embeddings-inference': [
    /`inputs` tokens \+ `max_new_tokens` must be <=/i,
    /`inputs` must have less than \d+ tokens\b/i,
  ],
  'LM Studio': [
    /\btokens when (the )?context (the )?overflows\b/i,
    /\bnumber of tokens to keep from the initial prompt is greater than the context length\b/i,
    /\breached context length of \d+ tokens\b/i,
    /\bn_keep\b.*>=? *\bn_ctx\b/i,
  ],
  'llama.cpp, LM Studio': [
    /\bexceeds? the available context size\b/i,
    /\bcontext (size|length|window) (has been|was|is) exceeded\b/i,
  ],
  Ollama: [
    /\binput length exceeds (the |maximum |the maximum )?context length\b/i,
    /\bprompt (is )?too long; exceeded max context length\b/i,
  ],
  LMDeploy: [/\bexceeds? (the )?(max )?session_len\b/i],
  'TensorRT-LLM': [/\bprompt length \(\d+\).*\bexceeds? (the )?max(imum)?[ _](input|num|sequence)/i],
  Anthropic: [/\bprompt is too long: \d+ tokens\b/i, /\bexceed context limit\b/i],
  Google: [/\binput token count\b.*\bexceeds the maximum number of tokens\b/is],
  Mistral: [/\btoo large for model with \d+ maximum context length\b/i],
  Bedrock: [/\binput is too long for requested model\b/i],
  Fireworks: [/\bprompt is too long: \d+, model maximum context length\b/i],
  xAI: [/\bmaximum prompt length is \d+\b/i],
  Moonshot: [/\bexceeded model token limit\b/i],
  Cohere: [/\btotal number of tokens\b.*\bcannot exceed\b/is],
};

const ALL_PHRASES = Object.values(PHRASES).flat();

/** What is known of an error of a model server. */
interface ToldError {
  readonly type?: unknown;
  readonly code?: unknown;
  readonly message: string | undefined;
}

/** Whether an error says that the prompt is longer than the context of its model. */
export function isContextLength({ type, code, message = '' }: ToldError): boolean {
  return NAMES.has(type) || NAMES.has(code) || ALL_PHRASES.some((phrase) => phrase.test(message));
}
