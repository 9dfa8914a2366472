import { startPlatform } from './platform.js';
import type { Platform } from './platform.js';
import { json, startScriptedBackend } from './scripted-backend.js';
import type { ScriptedBackend, Script } from './scripted-backend.js';

/** A page as a provider tells it; what is left out is made of the URL. */
export interface ToldPage {
  readonly url: string;
  readonly title?: string;
  readonly text?: string;
  /** As the provider writes it. */
  readonly published?: string;
}

/** Pages of one site, numbered. */
export function pagesOf(site: string, from: number, to: number): ToldPage[] {
  return Array.from({ length: to - from + 1 }, (_, index) => ({ url: `https://${site}/page-${from + index}` }));
}

/** An answer as SearXNG gives it. @param unresponsive engines that have failed */
export function searxngAnswer(pages: readonly ToldPage[], unresponsive: readonly string[] = []): Script {
  return json(200, {
    query: 'anything',
    number_of_results: 0,
    results: pages.map(({ url, title, text, published }) => ({
      url,
      title: title ?? `Title of ${url}`,
      content: text ?? `Text of ${url}`,
      publishedDate: published ?? null,
      engine: 'wikipedia',
      engines: ['wikipedia'],
      positions: [1],
      score: 1,
      category: 'general',
    })),
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: unresponsive.map((engine) => [engine, 'timeout']),
  });
}

/** An answer as Brave gives it. */
export function braveAnswer(pages: readonly ToldPage[]): Script {
  const results = pages.map(({ url, title, text, published }) => ({
    type: 'search_result',
    url,
    title: title ?? `Title of ${url}`,
    description: text ?? `Text of <strong>${url}</strong>`,
    ...(published !== undefined && { page_age: published, age: 'May 17, 2024' }),
    extra_snippets: ['more'],
  }));
  return json(200, { type: 'search', query: { original: 'anything' }, web: { type: 'search', results } });
}

/** An answer as Tavily gives it. */
export function tavilyAnswer(pages: readonly ToldPage[]): Script {
  const results = pages.map(({ url, title, text, published }) => ({
    url,
    title: title ?? `Title of ${url}`,
    content: text ?? `Text of ${url}`,
    score: 0.9,
    ...(published !== undefined && { published_date: published }),
  }));
  return json(200, { query: 'anything', answer: null, images: [], results, response_time: 0.5 });
}

/** The address that a provider is configured with. */
export function addressOf({ port }: ScriptedBackend): string {
  return `http://127.0.0.1:${port}`;
}

/** Starts a scripted SearXNG that finds one page, unless it is told otherwise. */
export async function startScriptedSearxng(): Promise<ScriptedBackend> {
  const searxng = await startScriptedBackend();
  searxng.byDefault = () => searxngAnswer(pagesOf('a.test', 1, 1));
  return searxng;
}

/** A platform before three scripted search providers. */
export interface SearchBed {
  readonly platform: Platform;
  readonly searxng: ScriptedBackend;
  readonly brave: ScriptedBackend;
  readonly tavily: ScriptedBackend;
  /** Forgets what the providers were asked and told to answer. */
  reset(): void;
  close(): Promise<void>;
}

/** Starts a platform before three scripted search providers, which know of nothing unless they are told. */
export async function startSearchBed(): Promise<SearchBed> {
  const providers = await Promise.all([startScriptedBackend(), startScriptedBackend(), startScriptedBackend()]);
  const [searxng, brave, tavily] = providers;
  searxng.byDefault = () => searxngAnswer([]);
  brave.byDefault = () => braveAnswer([]);
  tavily.byDefault = () => tavilyAnswer([]);
  const platform = await startPlatform({
    SEARXNG_URL: addressOf(searxng),
    BRAVE_URL: addressOf(brave),
    BRAVE_API_KEY: 'brave-key',
    TAVILY_URL: addressOf(tavily),
    TAVILY_API_KEY: 'tavily-key',
  });
  return {
    platform,
    searxng,
    brave,
    tavily,
    reset: () => providers.forEach((provider) => provider.reset()),
    close: async () => {
      await platform.close();
      await Promise.all(providers.map((provider) => provider.close()));
    },
  };
}
