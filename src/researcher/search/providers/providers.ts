import type { ResearcherConfig } from '../../config.js';
import type { SearchProvider } from '../search.types.js';
import { BraveProvider } from './brave.js';
import { SearxngProvider } from './searxng.js';
import { TavilyProvider } from './tavily.js';

/** The providers that are configured, in the order in which they are asked. */
export function createProviders(config: ResearcherConfig): SearchProvider[] {
  const { searxngUrl, braveUrl, braveApiKey, tavilyUrl, tavilyApiKey } = config;
  return [
    ...(searxngUrl === undefined ? [] : [new SearxngProvider(searxngUrl)]),
    ...(braveApiKey === undefined ? [] : [new BraveProvider(braveUrl, braveApiKey)]),
    ...(tavilyApiKey === undefined ? [] : [new TavilyProvider(tavilyUrl, tavilyApiKey)]),
  ];
}
