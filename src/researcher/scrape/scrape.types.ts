import { Field, Float, ObjectType, registerEnumType } from 'type-graphql';

/** In what form a page is told. */
export const ScrapeFormat = { markdown: 'markdown', text: 'text', html: 'html' } as const;
/** One of them. */
export type ScrapeFormat = keyof typeof ScrapeFormat;

registerEnumType(ScrapeFormat, {
  name: 'ScrapeFormat',
  description: 'In what form a page is told.',
  valuesConfig: {
    markdown: { description: 'Markdown (CommonMark).' },
    text: { description: 'Plain text: blocks between blank lines.' },
    html: { description: 'HTML that is made of the Markdown: no scripts, styles, or elements of the page itself.' },
  },
});

/** A link of a page. */
@ObjectType({ simpleResolvers: true, description: 'A link of a page.' })
export class ScrapedLink {
  @Field(() => String, { description: 'http or https, without its fragment.' })
  url!: string;

  @Field(() => String, { description: 'At most 200 characters.' })
  text!: string;
}

/** A page, or why it was not read. */
@ObjectType({ simpleResolvers: true, description: 'A page, or why it was not read.' })
export class ScrapedPage {
  @Field(() => String, { description: 'As it was asked for.' })
  url!: string;

  @Field(() => String, { nullable: true, description: 'Where it was in the end, behind redirects.' })
  finalUrl!: string | null;

  @Field(() => String, { nullable: true, description: 'Of the page.' })
  title!: string | null;

  @Field(() => String, { nullable: true, description: 'Who has written it, as the page says it.' })
  byline!: string | null;

  @Field(() => String, { nullable: true, description: 'Its main part, in the form that was asked for.' })
  text!: string | null;

  @Field(() => String, { nullable: true, description: 'BCP 47; null where it is not known.' })
  language!: string | null;

  @Field(() => Date, { nullable: true, description: 'As the page says it.' })
  publishedAt!: Date | null;

  @Field(() => Date, { nullable: true, description: 'When it was read.' })
  fetchedAt!: Date | null;

  @Field(() => [ScrapedLink], { description: 'Where it leads, each address once; at most 500.' })
  links!: readonly ScrapedLink[];

  @Field(() => Float, {
    nullable: true,
    description: 'How credible the host is by the default configuration of the tenant, 0 to 1; null without one.',
  })
  credibility!: number | null;

  @Field(() => String, { nullable: true, description: 'Why it was not read, as a word such as `robots`; else null.' })
  reason!: string | null;
}

/** The pages of one request. */
@ObjectType({ simpleResolvers: true, description: 'The pages of one request.' })
export class ScrapeAnswer {
  @Field(() => String, { description: 'Always `researcher.scrape`.' })
  readonly object = 'researcher.scrape';

  @Field(() => [ScrapedPage], { description: 'In the order in which they were asked for.' })
  pages!: readonly ScrapedPage[];
}
