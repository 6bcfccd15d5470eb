import { type Decimal, moveDecimal } from '../lib/decimal.ts'
import { percentOf } from '../lib/text/percent.ts'
import { shownUnit } from '../lib/text/price-text.ts'
import type { FeedEvent, FeedItem } from './feed-schema.ts'

type Point = { price: string }
type AnnouncedPoint = Point & { effectiveFrom: string }
/** The fields of payloads that the feed shows. Each type has some of them. */
type Body = Partial<{
  resource: string
  previousResource: string
  dimension: string
  unit: string
  currency: string
  pricingTier: Record<string, string>
  previous: Point & FeedItem['from']
  current: Point & FeedItem['to']
  corrected: Point
  tier: 'introduced' | 'withdrawn'
  action: 'withdrawn' | 'restored' | 'announced' | 'changed'
  announced: AnnouncedPoint
  replaces: AnnouncedPoint
  reason: string
  read: FeedItem['read']
  revised: string[]
  name: string
  group: { id: string; name: string }
  groupDeleted: boolean
  document: string
  title: string
  classification: string
  significance: FeedItem['significance']
  effectiveDate: string
  summary: { wordsRemoved: number; wordsAdded: number; changes?: { topics: string[] }[] }
}>

/** Returns an event as people read it. */
export function feedItemOf({ seq, id, type, provider, at, lines, direction, body: given }: FeedEvent): FeedItem {
  const body = given as Body
  const common = { seq, id, type, provider, at }
  if (type === 'tos.changed') return { ...common, ...documentChange(body) }
  if (type === 'provider.added') return { ...common, name: body.name }
  const { resource, previousResource, group, groupDeleted } = body
  const named = { ...common, resource, previousResource, lines, name: group?.name, groupId: group?.id, groupDeleted }
  if (type === 'price.announced') return { ...named, ...announcement(body) }
  return type.startsWith('price.') ? { ...named, ...priceChange(body), direction } : named
}

function documentChange({
  document,
  title,
  classification,
  significance,
  effectiveDate,
  summary,
  previous,
  current,
}: Body) {
  const topics = [...new Set(summary?.changes?.flatMap((change) => change.topics))]
  const { wordsRemoved, wordsAdded } = summary ?? {}
  const words = { wordsRemoved, wordsAdded }
  return {
    document,
    title,
    classification,
    significance,
    effectiveDate,
    topics,
    ...words,
    from: version(previous),
    to: version(current),
  }
}

const version = (given: FeedItem['from']) => given && { versionId: given.versionId, recordedAt: given.recordedAt }

/** The price in force and the one that is announced instead of it. */
function announcement({ announced, replaces, ...body }: Body) {
  const { places } = shownUnit(body.unit ?? '')
  const shown = ({ price }: Point) => moveDecimal(price as Decimal, places)
  const current = body.current as Point | undefined
  const change = priceChange({ ...body, previous: current, current: announced } as Body)
  return {
    ...change,
    effectiveFrom: announced?.effectiveFrom,
    replaces: replaces && { price: shown(replaces), effectiveFrom: replaces.effectiveFrom },
  }
}

function priceChange({
  dimension,
  unit,
  currency,
  pricingTier,
  previous,
  current,
  tier,
  action,
  reason,
  read,
  revised,
}: Body) {
  const { places, per } = shownUnit(unit ?? '')
  const shown = (point: Point | undefined) => point && moveDecimal(point.price as Decimal, places)
  return {
    dimension,
    tier: pricingTier,
    currency,
    per,
    before: shown(previous),
    after: shown(current),
    percent: previous && current && percentOf(previous.price, current.price),
    action: action ?? tier,
    reason,
    read,
    revised,
  }
}
