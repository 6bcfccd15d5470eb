import { Group, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { FeedItem } from '../../api/feed.ts'
import { Address } from '../evidence/address.tsx'
import { Trend } from '../prices/chart/trend.tsx'
import { shownDimension, shownPrice, shownTier } from '../prices/money.ts'
import type { Entry } from './group-items.ts'

/** The prices of a resource that changed at one instant, under its name. */
export function PriceChanges({ items, named }: { items: Entry['items']; named: ReactNode }) {
  return (
    <>
      <Text size="sm">{named}</Text>
      {items.map((item) => (
        <PriceChange key={item.id} item={item} />
      ))}
      <Read items={items} />
    </>
  )
}

function PriceChange({ item }: { item: FeedItem }) {
  const { type, dimension = '', tier = {}, currency, per, before, after } = item
  const conditions = shownTier(tier)
  const details = detailsOf(item)
  return (
    <>
      <Group gap="xs" style={{ rowGap: 0 }}>
        <Text size="sm" c="dimmed">
          {shownDimension(dimension)}
          {conditions && ` · ${conditions}`}
        </Text>
        <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
          {before !== undefined && before !== after && !isWithdrawnAhead(item) && (
            <>
              <Text span c="dimmed" td={type === 'price.announced' ? undefined : 'line-through'}>
                {shownPrice(before, 0)}
              </Text>{' '}
              →{' '}
            </>
          )}
          <b>{after === undefined ? shownEnd(item) : shownPrice(after, 0)}</b>{' '}
          <Text span size="xs" c="dimmed">
            {currency} / {per}
          </Text>
        </Text>
        <Trend direction={item.direction} percent={item.percent} />
        {type === 'price.changed' && (before === undefined || after === undefined) && (
          <Text size="xs" c="dimmed">
            {before === undefined ? 'new' : 'no longer listed'}
          </Text>
        )}
      </Group>
      {details && (
        <Text size="xs" c="dimmed">
          {details}
        </Text>
      )}
    </>
  )
}

/** What a change of a price means, where its numbers do not say it. */
function detailsOf(item: FeedItem): string | undefined {
  const { type, action, reason, revised } = item
  if (type === 'price.announced') return announcementText(item)
  if (type === 'price.changed') return undefined
  const said =
    type === 'price.revised'
      ? `The price stayed; ${revised?.join(', ')} changed.`
      : action === 'restored'
        ? 'A withdrawn price was restored.'
        : 'The price was withdrawn as wrong.'
  return reason ? `${said} Reason: ${reason}` : said
}

/** The pages where the prices from now on were read, each once. */
function Read({ items }: { items: Entry['items'] }) {
  const addresses = [...new Set(items.flatMap(({ read }) => (read ? [read.address] : [])))]
  return addresses.map((address) => (
    <Text key={address} size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      Read at <Address address={address} />
    </Text>
  ))
}

/** A price that ended; of a withdrawn announcement, the price that stays. */
const shownEnd = (item: FeedItem): string =>
  isWithdrawnAhead(item) && item.before !== undefined ? shownPrice(item.before, 0) : 'no price'

const isWithdrawnAhead = ({ type, action }: FeedItem): boolean => type === 'price.announced' && action === 'withdrawn'

function announcementText({ action, effectiveFrom, replaces }: FeedItem): string {
  const before = replaces && `${shownPrice(replaces.price, 0)} from ${replaces.effectiveFrom}`
  if (action === 'withdrawn') return `No longer announced: ${before}.`
  return `Announced for ${effectiveFrom}.${before ? ` Before, it was ${before}.` : ''}`
}
