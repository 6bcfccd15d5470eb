import type { Member } from './group-rules.ts'
import { oneSpelling } from './spelling-rules.ts'

/** A resource as the catalogue knows it; the canonical ids are the ones its sources tell. */
export type NamedResource = Member & { canonicalResources: string[] }

/** Which model a name means, as far as the name alone is certain. */
export type ModelName = {
  /** Slug of the maker, or the organization before the slash where no source knows the maker. */
  maker: string
  /** Equal for two spellings of one name. */
  key: string
  /** The name without its stamp, in its own spelling. */
  base: string
  /** What pins or points to a version of the model: a day, a short date, or `latest`. */
  stamp?: { kind: 'day' | 'short' | 'latest'; text: string }
}

/** Offered under a service of its own (`:free`, `:extended`, `:batch`, `ft:`), a model has prices that compare with nothing. */
const VARIANT = /^ft:|:[a-z][a-z-]*$|\.ft-/i
/** Bedrock ends its ids in a revision of its own (`-v1:0`), but for Mistral's in the version of the weights (`-v0:2`). */
const BEDROCK_REVISION = /(-v?[1-9]\d*):\d+$/
const BEDROCK_WEIGHTS = /-v0:(\d+)$/
const DAY = /[-@](20\d{2}-?[01]\d-?[0-3]\d)$/
const SHORT_DATE = /[-@](2[3-9](?:0[1-9]|1[0-2])|(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))$/
const LATEST = /-latest$/
/** A version in the name, not a size such as `8b` or `8x7b`: `-latest` then points within that version. */
const VERSIONED = /(^|[^\da-z])v?\d+(?![\da-z])/

/**
 * The model a resource's name means. Undefined for variants with a price of their own, for names that different
 * sources read differently, for bare names no one knows the maker of, and for pointers to whatever is newest.
 */
export function modelName({ resource, canonicalResources }: NamedResource): ModelName | undefined {
  if (VARIANT.test(resource) || canonicalResources.length > 1) return undefined
  const revision = BEDROCK_REVISION.exec(resource)?.[1] ?? ''
  const id = (canonicalResources[0] ?? organizationName(resource))?.toLowerCase()
  const slash = id?.indexOf('/') ?? -1
  if (!id || slash < 1) return undefined
  const maker = id.slice(0, slash)
  const weights = BEDROCK_WEIGHTS.exec(resource)
  const full = without(id.slice(slash + 1), revision) + (weights ? `-v0.${weights[1]}` : '')
  const [own, ownStamp] = split(full)
  const [name, stamp] = split(oneSpelling(maker, full))
  const base = ownStamp || !stamp ? own : name
  // A name without any number (`command-r`, `deepseek-chat`) is a pointer that every seller moves at its own time, but
  // for one that a date pins (`mistral-large-2512`).
  if (!/\d/.test(base) && stamp?.kind !== 'day' && stamp?.kind !== 'short') return undefined
  return { maker, base, key: keyOf(maker, name), ...(stamp && { stamp }) }
}

/** A name without its stamp, and the stamp. */
function split(name: string): [base: string, stamp: ModelName['stamp']] {
  const stamp = stampOf(name)
  return [stamp ? name.slice(0, name.length - stamp.text.length - 1) : name, stamp]
}

/** `org/model`, as model hubs write it, is a name even where no source tells the maker; so are two sellers' own spellings. */
const organizationName = (resource: string): string | undefined => {
  if (/^[\w-]+\/[\w.-]+$/.test(resource)) return resource
  if (/^llama-v\d/i.test(resource)) return `meta/${resource}`
  return /^gemma\d/i.test(resource) ? `google/${resource}` : undefined
}

const without = (name: string, ending: string): string =>
  ending !== '' && name.endsWith(ending) ? name.slice(0, -ending.length) : name

function stampOf(name: string): ModelName['stamp'] {
  const day = DAY.exec(name)?.[1]
  if (day) return { kind: 'day', text: day }
  const short = SHORT_DATE.exec(name)?.[1]
  if (short) return { kind: 'short', text: short }
  if (LATEST.test(name) && VERSIONED.test(name.replace(LATEST, ''))) return { kind: 'latest', text: 'latest' }
  return undefined
}

/** Spelling that means nothing: dots, underscores and dashes, `v3p2` for `v3.2`, `4-0` for `4`, the maker's own name. */
function keyOf(maker: string, base: string): string {
  const parts = base
    .replace(/(\d)p(\d)/g, '$1-$2')
    .replace(/[._\s]/g, '-')
    .replace(new RegExp(`^${maker.replace(/[^a-z0-9]/g, '.')}-`), '')
    .replace(/-0$/, '')
    .split('-')
    .filter(Boolean)
  // claude-4-sonnet and claude-sonnet-4 are one model; elsewhere the order of words can matter.
  const ordered = maker === 'anthropic' ? [...parts.filter(isWord), ...parts.filter((part) => !isWord(part))] : parts
  return `${maker}/${ordered.join('-')}`
}

const isWord = (part: string): boolean => !/^v?\d/.test(part)
