import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import { Access, callerOf } from '../../access/access-rule.js';
import type { RequestContext } from '../../context.js';
import { BadRequest } from '../../errors.js';
import type { ScrapeService } from './scrape.service.js';
import { ScrapeAnswer, ScrapeFormat } from './scrape.types.js';

const MAX_URLS = 20;

/** Pages of the web that people name. */
@Resolver()
export class ScrapeResolver {
  constructor(private readonly service: ScrapeService) {}

  @Access({ credential: 'bearer', scope: 'researcher:write', rateLimited: true, stateless: true })
  @Query(() => ScrapeAnswer, {
    description: 'What pages of the web say. A page that may not, or cannot be read is there with a `reason`.',
  })
  async scrapePages(
    @Ctx() context: RequestContext,
    @Arg('url', () => String, { nullable: true, description: 'One page; or `urls`.' }) url?: string | null,
    @Arg('urls', () => [String], { nullable: true, description: 'Up to 20 pages; or `url`.' })
    urls?: string[] | null,
    @Arg('format', () => ScrapeFormat, { nullable: true, description: '`markdown` by default.' })
    format?: ScrapeFormat | null,
  ): Promise<ScrapeAnswer> {
    const wanted = wantedUrls(url ?? undefined, urls ?? undefined);
    const pages = await this.service.read(callerOf(context), wanted, format ?? 'markdown', context.signal);
    return { object: 'researcher.scrape', pages };
  }
}

/** @throws BadRequest where there are both or neither, or too many */
function wantedUrls(url: string | undefined, urls: readonly string[] | undefined): readonly string[] {
  if ((url === undefined) === (urls === undefined)) {
    throw new BadRequest('Give either url or urls.', url === undefined ? 'url' : 'urls');
  }
  if (url !== undefined) return [url];
  if (urls && urls.length >= 1 && urls.length <= MAX_URLS) return urls;
  throw new BadRequest(`urls must have 1 to ${MAX_URLS} entries.`, 'urls');
}
