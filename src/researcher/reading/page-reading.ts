import type { Logger } from 'pino';
import type { Extractor } from '../../platform/extraction/extractor.js';
import { WebPageReader } from '../../platform/extraction/web/web-page-reader.js';
import type { NetConfig } from '../../platform/net/config.js';
import { PageFetcher } from '../../platform/net/pages/page-fetcher.js';
import type { Gauge } from '../../platform/telemetry/metrics.js';
import { SourceReader } from './source-reader.js';

/** By this name hosts know the server, and robots.txt files may name it. */
const NAME = 'PrivateAIPlatform';

interface PageReadingParts {
  readonly config: Pick<NetConfig, 'egressAllow' | 'egressPorts'>;
  /** Children that read pages at the same time. */
  readonly processes: number;
  readonly extractor: Pick<Extractor, 'extract'>;
  readonly version: string;
  readonly log: Logger;
}

/** What fetches and reads pages of the web. */
export class PageReading {
  readonly sources: SourceReader;
  readonly pages: PageFetcher;
  readonly reader: WebPageReader;

  constructor({ config, processes, extractor, version, log }: PageReadingParts) {
    const { egressAllow, egressPorts } = config;
    this.pages = new PageFetcher({ name: NAME, version, egressAllow, egressPorts });
    this.reader = new WebPageReader({ processes, log });
    this.sources = new SourceReader({ pages: this.pages, reader: this.reader, extractor, processes });
  }

  /** Running children and waiting pages. */
  get gauges(): readonly Gauge[] {
    const waiting: Gauge = {
      name: 'platform_pages_waiting',
      help: 'Pages that were fetched and wait for the turn of their owner to be read.',
      labels: [],
      read: () => [{ value: this.sources.waiting }],
    };
    return [...this.reader.gauges, waiting];
  }

  /** Ends all fetches and children. */
  async close(): Promise<void> {
    this.reader.close();
    await this.pages.close();
  }
}
