import { z } from 'zod';
import type { ConfigOf } from '../platform/config/config.js';
import { url } from '../platform/config/variables.js';

/** A key as it can stand in a header. */
const apiKey = z
  .string()
  .regex(/^[\x21-\x7e]{1,1000}$/, 'must be 1 to 1,000 characters of ASCII without spaces')
  .optional();

/** Where the web is searched. */
export const researcherConfig = z
  .object({
    SEARXNG_URL: url('http:', 'https:')
      .optional()
      .describe(
        'Search providers, asked in this order: where one fails, the next one is asked. The address of a SearXNG whose settings allow the format json; it may be a private one.',
      ),
    BRAVE_API_KEY: apiKey.describe('A key of the Brave Search API.'),
    BRAVE_URL: url('http:', 'https:').default('https://api.search.brave.com').describe('Where that API is.'),
    TAVILY_API_KEY: apiKey.describe('A key of the Tavily Search API.'),
    TAVILY_URL: url('http:', 'https:').default('https://api.tavily.com').describe('Where that API is.'),
  })
  .describe('Researcher');

/** The settings of the researcher. */
export type ResearcherConfig = ConfigOf<typeof researcherConfig>;
