import type { Dimension, KnownError } from '../../catalog/schema.ts'
import { groupBy, joinKey } from '../../lib/collections.ts'
import type { PriceCollector } from '../collector.ts'
import { SnapshotError } from '../snapshot-error.ts'
import type { Observations, ParserResult } from './observations.ts'

type ListedLine = { provider: string; resource: string; dimension?: Dimension }

/** The collector without what is known to be wrong in the list it reads; each price left out is counted with its reason. */
export function withoutKnownErrors(collector: PriceCollector): PriceCollector {
  const { parse, read } = collector
  return {
    ...collector,
    parse: (bytes, context) => leftOut(parse(bytes, context), finder(context.source.knownErrors)),
    ...(read && {
      read: (observations, context) => read(leavingOut(observations, finder(context.source.knownErrors)), context),
    }),
  }
}

type Find = (listed: ListedLine) => KnownError | undefined

/** A resource without any dimension is named only by an error about all of it. */
function finder(errors: KnownError[] = []): Find | undefined {
  if (errors.length === 0) return undefined
  const known = groupBy(errors, ({ provider, resource }) => joinKey(provider, resource))
  return ({ provider, resource, dimension }) =>
    known
      .get(joinKey(provider, resource.trim()))
      ?.find((error) => error.dimension === undefined || error.dimension === dimension)
}

const reasonOf = ({ why }: KnownError) => `a known error of the list: ${why}`

function leftOut(read: ParserResult, find: Find | undefined): ParserResult {
  if (!find) return read
  const ignored = new Map<string, ParserResult['ignored'][number]>()
  const isRight = (listed: ListedLine) => {
    const error = find(listed)
    if (!error) return true
    const reason = reasonOf(error)
    const count = (ignored.get(reason)?.count ?? 0) + 1
    ignored.set(reason, { reason, example: `${error.provider} ${error.resource}`, count })
    return false
  }
  const observations = read.observations.filter(isRight)
  if (observations.length === 0) throw new SnapshotError('The answer lists no prices but known errors.')
  const priced = new Set(observations.map(({ provider }) => provider))
  return {
    ...read,
    observations,
    providers: read.providers.filter(({ provider }) => priced.has(provider)),
    ...(read.unreadable && { unreadable: read.unreadable.filter(isRight) }),
    ...(read.announced && { announced: read.announced.filter(({ observation }) => isRight(observation)) }),
    ...(read.facts && { facts: read.facts.filter(({ provider, resource }) => !find({ provider, resource })) }),
    ignored: [...read.ignored, ...ignored.values()],
  }
}

function leavingOut(observations: Observations, find: Find | undefined): Observations {
  if (!find) return observations
  const isRight = (listed: ListedLine) => {
    const error = find(listed)
    if (error) observations.ignore(reasonOf(error), `${error.provider} ${error.resource}`)
    return !error
  }
  return {
    ...observations,
    price: (quoted) => isRight(quoted) && observations.price(quoted),
    zero: (quoted, reason) => isRight(quoted) && observations.zero(quoted, reason),
    announce: (quoted, from) => isRight(quoted) && observations.announce(quoted, from),
    facts: (provider, resource, written) => {
      if (!find({ provider, resource })) observations.facts(provider, resource, written)
    },
    unpriced: (provider, resource, reason, locator) =>
      isRight({ provider, resource }) && observations.unpriced(provider, resource, reason, locator),
  }
}
