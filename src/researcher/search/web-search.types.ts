import { Field, Float, ObjectType } from 'type-graphql';

/** A page of the web that was found. */
@ObjectType({ simpleResolvers: true, description: 'A page of the web that was found. Nothing of it was read yet.' })
export class WebSearchResult {
  @Field(() => String, { description: 'As the search provider tells it, or the host.' })
  title!: string;

  @Field(() => String, { description: 'Where the page is.' })
  url!: string;

  @Field(() => String, { description: 'Words of the page, as the search provider tells them; may be empty.' })
  snippet!: string;

  @Field(() => String, { description: 'What has found it: a search provider, or an engine that it names.' })
  engine!: string;

  @Field(() => Date, { nullable: true, description: 'As the search provider tells it; null where it does not.' })
  publishedAt!: Date | null;

  @Field(() => Float, {
    nullable: true,
    description: 'How credible the host is by the default configuration of the tenant, 0 to 1; null without one.',
  })
  credibility!: number | null;
}

/** What a search of the web has found. */
@ObjectType({ simpleResolvers: true, description: 'What a search of the web has found.' })
export class WebSearchAnswer {
  @Field(() => String, { description: 'Always `researcher.search`.' })
  readonly object = 'researcher.search';

  @Field(() => String, { description: 'As it was sent.' })
  query!: string;

  @Field(() => [WebSearchResult], { description: 'The best first, each page once.' })
  results!: readonly WebSearchResult[];
}
