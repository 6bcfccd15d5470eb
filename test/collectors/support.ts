import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { collectorFor, type ParserResult } from '../../src/collectors/index.ts'
import { type Instant, parseInstant } from '../../src/lib/instant.ts'
import { type Observation, observation } from '../../src/prices/schema.ts'

/** Parses a snapshot of a format, given as text or as what becomes its JSON; every observation is a valid one. */
export function parseAs(format: string) {
  return (data: unknown, options: { at?: string; options?: Record<string, unknown> } = {}): ParserResult => {
    const bytes = new TextEncoder().encode(typeof data === 'string' ? data : JSON.stringify(data))
    const source = sourceDeclaration.parse({ source: 'tested', format, options: options.options ?? {} })
    const at: Instant = parseInstant(options.at ?? '2026-11-21T00:00:00Z')!
    const read = collectorFor(format)!.parse(bytes, { source, at })
    for (const item of read.observations) observation.parse(item)
    return read
  }
}

/** A price as one line: resource, dimension, unit, tier, price. */
export const lines = (read: ParserResult): string[] =>
  read.observations.map(({ resource, dimension, unit, pricingTier, price }) =>
    [resource, dimension, unit, JSON.stringify(pricingTier), price].join(' '),
  )

export const ignored = (read: ParserResult): Record<string, number> =>
  Object.fromEntries(read.ignored.map(({ reason, count }) => [reason, count]))

/** What is listed but is not a price that can be read, as one line: resource, dimension, tier, text. */
export const unreadable = (read: ParserResult): string[] =>
  (read.unreadable ?? []).map(({ resource, dimension, pricingTier, text }) =>
    [resource, ...(dimension ? [dimension, JSON.stringify(pricingTier)] : []), '=', text].join(' '),
  )

const rest = (more: object) =>
  Object.entries(more).map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)

const observedLine = ({ locator, ...observed }: Observation): string => {
  const { provider, resource, dimension, unit, currency, pricingTier, price, ...more } = observed
  const line = [provider, resource, dimension, unit, currency, JSON.stringify(pricingTier), price, ...rest(more)]
  return `${line.join(' ')} @ ${locator}`
}

/** All that was read, a line each: providers, prices with their places, what is unreadable, what is left out and why. */
export const allLines = ({
  providers,
  observations,
  ignored,
  unreadable = [],
  announced = [],
  nextChangeAt,
}: ParserResult): string[] => [
  ...providers.map(({ provider, name, ...more }) => ['provider', provider, name, ...rest(more)].join(' ')),
  ...observations.map(observedLine),
  ...unreadable.map(({ provider, resource, text, locator, ...more }) =>
    ['unreadable', provider, resource, ...rest(more), '=', text, `@ ${locator}`].join(' '),
  ),
  ...ignored.map(({ reason, count, example }) => `ignored ${count}: ${reason} (${example})`),
  ...announced.map(({ observation, from }) => `announced ${from} ${observedLine(observation)}`),
  ...(nextChangeAt ? [`next ${nextChangeAt}`] : []),
]
