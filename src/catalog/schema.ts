import { z } from 'zod'

/** A provider's or a source's slug. */
export const SLUG = /^[a-z0-9][a-z0-9._-]{0,63}$/
export const slug = z.string().regex(SLUG, 'must be lower-case letters, digits, dots, dashes or underscores')

/** A canonical id: `<provider slug>/<resource name>`. */
export const canonicalId = z.string().refine((id) => {
  const [provider = '', ...resource] = id.split('/')
  return SLUG.test(provider) && resource.join('/') !== ''
}, 'must be like openai/gpt-4o')

/** What is priced. One vocabulary for all sources, composed of direction, modality and kind of token. */
export const DIMENSIONS = [
  'input_tokens', 'output_tokens', 'reasoning_tokens', 'cache_read_tokens', 'cache_write_tokens',
  'cache_storage_token_hours', 'input_audio_tokens', 'output_audio_tokens', 'cache_read_audio_tokens',
  'cache_write_audio_tokens', 'input_image_tokens', 'output_image_tokens', 'cache_read_image_tokens',
  'input_video_tokens', 'output_video_tokens', 'cache_read_video_tokens', 'input_text_tokens', 'output_text_tokens',
  'training_tokens', 'input_characters', 'output_characters', 'input_audio_seconds', 'output_audio_seconds',
  'input_video_seconds', 'output_video_seconds', 'input_images', 'output_images', 'input_pixels', 'output_pixels',
  'pages', 'requests', 'web_searches', 'tool_sessions', 'rerank_queries', 'gpu_hours', 'instance_hours', 'vcpu_hours',
  'memory_gib_hours', 'storage_gib_months', 'egress_gib', 'licence_hours', 'credits', 'audio_hours',
  'input_audio_hours', 'output_audio_hours', 'annotated_pages', 'storage_searches', 'social_searches',
  'input_messages', 'citation_tokens', 'usage',
] as const // biome-ignore format: a vocabulary reads best in lines
export const dimension = z.enum(DIMENSIONS)
export type Dimension = z.infer<typeof dimension>

/** `<currency>_per_<one thing>`: `usd_per_token`, `eur_per_image`, `credit_per_token`, `usd_per_credit`. */
export const unit = z.string().regex(/^[a-z]{3,6}_per_[a-z_]+$/)

/** ISO 4217, or a provider's credit (`SNOWFLAKE_AI_CREDIT`). */
export const CURRENCY = /^([A-Z]{3}|[A-Z0-9_]+_(AI|PLATFORM)_CREDIT)$/
export const currency = z.string().regex(CURRENCY)

/** Keys a pricing tier may have; `{}` is the standard tier. docs/prices.md says what each holds. */
const TIER_KEYS = [
  'service', 'context', 'region', 'ttl', 'resolution', 'quality', 'timeOfDay', 'volume', 'cloud', 'edition', 'offer',
  'instance', 'operatingSystem', 'tenancy', 'modality', 'sku',
] as const // biome-ignore format: a vocabulary reads best in lines
export const pricingTier = z.partialRecord(z.enum(TIER_KEYS), z.string().min(1).max(200))
export type PricingTier = z.infer<typeof pricingTier>

/** How events about volatile prices are limited; docs/sources.md explains it. */
const volatile = z.strictObject({
  /** The services whose prices are volatile. */
  services: z.array(z.string().min(1)).min(1).default(['spot']),
  /** The least time between two events about a line. */
  minIntervalSeconds: z.number().int().min(0),
  /** The least difference from the price in the line's last event, in per cent. */
  minChangePercent: z.number().min(0),
})

/** How near a source is to the providers whose prices it lists, nearest first. The nearest one decides. */
export const RANKS = ['provider', 'verified', 'community'] as const
export type Rank = (typeof RANKS)[number]

/** What the place of a source among others is decided by, as the database holds it. */
export const rankingOf = ({
  rank = 'community',
  speaksFor,
  staleAfterSeconds = 7 * 24 * 3600,
  complete = false,
}: SourceDeclaration) => ({
  rank: RANKS.indexOf(rank),
  speaksFor,
  staleAfterSeconds,
  complete,
})

/** Returns the rank of a source for a provider: where it does not speak for it, it is a list like others. */
export const rankFor = (source: { rank: Rank; speaksFor: string[] | null }, provider: string): Rank =>
  source.speaksFor === null || source.speaksFor.includes(provider) ? source.rank : 'community'

/** Whether a source is a provider's own word. */
export const speaksFor = ({ rank, speaksFor: providers }: SourceDeclaration, provider: string): boolean =>
  rank === 'provider' && (providers?.includes(provider) ?? true)

/** One entry of sources.json: where prices or documents are read, how, and how often. */
export const sourceDeclaration = z.object({
  source: slug,
  format: z.string(),
  /** https://… , or for a curated file its path beside sources.json. */
  url: z.string().optional(),
  /** A declared source that is off is known and not collected. Absent means on. */
  enabled: z.boolean().optional(),
  /** What it is and whose, for the people who read the file. */
  about: z.string().optional(),
  /** Bundled snapshots to use where the URL cannot be reached: the format's own embedded default. */
  bundled: z.boolean().optional(),
  intervalSeconds: z.number().int().min(60).default(3600),
  /** Whose word it is: the provider's own, one that was verified at the provider's, or a list that people keep,
   * which is meant where nothing is said. */
  rank: z.enum(RANKS).optional(),
  /** The providers its rank holds for; elsewhere it is a list like others. Absent means every provider it names. */
  speaksFor: z.array(slug).min(1).optional(),
  /** What it does not list, the providers that it speaks for do not sell. Needs the rank `provider` and `speaksFor`. */
  complete: z.boolean().optional(),
  /** After this time without a good fetch the next source decides; absent means a week. */
  staleAfterSeconds: z.number().int().min(3600).optional(),
  /** `false` puts it behind all others of its rank, wherever it is declared. */
  primary: z.boolean().default(true),
  /** Its prices are evidence for those of other sources, and are never served. Absent means no. */
  witness: z.boolean().optional(),
  /** Limits the events about prices that follow demand. */
  volatile: volatile.optional(),
  options: z.record(z.string(), z.unknown()).default({}),
})

/** An entry of a list that claims what its provider does not sell or charge: left out when the list is read. */
export const knownError = z.strictObject({
  source: slug,
  provider: slug,
  /** Exactly as the list spells it. */
  resource: z.string().trim().min(1).max(300),
  /** Absent means every price of the resource. */
  dimension: dimension.optional(),
  /** What is wrong with it, short enough to stand in a report of what was left out. */
  why: z.string().trim().min(1).max(90),
  /** Where this was seen: addresses, or places in recorded lists. */
  evidence: z.string().trim().min(1),
  /** The day someone looked. */
  day: z.iso.date(),
})
export type KnownError = z.infer<typeof knownError>

/** What the API of a seller calls a model that its price list names for people. */
export const modelName = z.strictObject({
  /** Exactly as the price list spells it. */
  listed: z.string().trim().min(1).max(300),
  /** Without a profile, such as `us.`. */
  resource: z.string().trim().min(1).max(300),
  /** Its plain price is that of a profile: the API has no name without one. */
  profiles: z.boolean().optional(),
  /** Where this was seen, and the day someone looked. */
  evidence: z.string().trim().min(1),
  day: z.iso.date(),
})
export type ModelName = z.infer<typeof modelName>

export type SourceDeclaration = z.infer<typeof sourceDeclaration> & {
  knownErrors?: KnownError[]
  /** The table that `options.names` names. */
  modelNames?: ModelName[]
}

/** What a source gives: prices, or legal documents. */
export type SourceKind = 'prices' | 'terms'
