import { z } from 'zod';
import type { ConfigOf } from '../platform/config/config.js';
import { flag, url } from '../platform/config/variables.js';

/** Where the operator's models are. */
export const inferenceConfig = z
  .object({
    BACKENDS_FILE: z
      .string()
      .optional()
      .describe('Model servers: a YAML or JSON file (README.md), or one OpenAI-compatible server without a file.'),
    OPENAI_BASE_URL: url('http:', 'https:').optional(),
    OPENAI_API_KEY: z.string().optional(),
    BUILTIN_BACKEND: flag.default(true).describe('The model that is built in, for a machine without a model server.'),
    DISCOVER_BACKENDS: flag
      .default(false)
      .describe('Look for Ollama, vLLM, llama.cpp and LM Studio on this machine, at the start and every 30 seconds.'),
  })
  .describe('Inference');

/** The settings of inference. */
export type InferenceConfig = ConfigOf<typeof inferenceConfig>;
