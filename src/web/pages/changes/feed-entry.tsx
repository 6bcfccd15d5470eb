import { Badge, Group, Stack, Text, ThemeIcon, UnstyledButton } from '@mantine/core'
import {
  type Icon,
  IconArrowsExchange,
  IconBuildingStore,
  IconCalendarDollar,
  IconCurrencyDollar,
  IconFileText,
  IconMinus,
  IconPlus,
  IconStack2,
} from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import type { FeedItem } from '../../api/feed.ts'
import { useProviderNames } from '../../api/provider-names.ts'
import { TextLink } from '../../components/links.tsx'
import { Moment } from '../../components/moment.tsx'
import { keepAsOf } from '../../search.ts'
import { Significance } from '../documents/significance.tsx'
import { Address } from '../evidence/address.tsx'
import { shownDimension, shownPrice, shownTier } from '../prices/money.ts'
import { Trend } from '../prices/trend.tsx'
import type { Entry } from './group-items.ts'

const SHOWN = 8

const ICONS: Record<string, Icon> = {
  'price.changed': IconCurrencyDollar,
  'price.announced': IconCalendarDollar,
  'price.corrected': IconCurrencyDollar,
  'price.revised': IconCurrencyDollar,
  'resource.added': IconPlus,
  'resource.removed': IconMinus,
  'resource.renamed': IconArrowsExchange,
  'tos.changed': IconFileText,
  'provider.added': IconBuildingStore,
}

/** One change, or a group of additions or removals. */
export function FeedEntry({ entry: { items }, isFirst }: { entry: Entry; isFirst: boolean }) {
  const [item] = items
  const EntryIcon = ICONS[item.type] ?? IconStack2
  return (
    <Group
      wrap="nowrap"
      align="flex-start"
      gap="sm"
      p="sm"
      style={isFirst ? undefined : { borderTop: '1px solid var(--mantine-color-default-border)' }}
    >
      <ThemeIcon variant="light" color="gray" size="md" mt={2}>
        <EntryIcon size={16} aria-hidden />
      </ThemeIcon>
      <Stack gap={2} style={{ flex: 1, minWidth: 0 }}>
        {items.length > 1 ? <Many items={items} /> : <One item={item} />}
        <Text size="xs" c="dimmed" hiddenFrom="xs">
          <Moment at={item.at} />
        </Text>
      </Stack>
      <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }} mt={3} visibleFrom="xs">
        <Moment at={item.at} />
      </Text>
    </Group>
  )
}

const Resource = ({ item, label = item.resource }: { item: FeedItem; label?: string | undefined }) => (
  <TextLink
    to="/prices/$provider/$resource"
    params={{ provider: item.provider, resource: item.resource! }}
    search={keepAsOf}
    preload={false}
    c="bright"
    fw={600}
    underline="hover"
    style={{ overflowWrap: 'anywhere' }}
  >
    {label}
  </TextLink>
)

function Seller({ item }: { item: FeedItem }) {
  const nameOf = useProviderNames()
  return (
    <Text span c="dimmed">
      {nameOf(item.provider)}
    </Text>
  )
}

const Headline = ({ children }: { children: ReactNode }) => <Text size="sm">{children}</Text>

function One({ item }: { item: FeedItem }): ReactNode {
  if (item.type === 'tos.changed') return <DocumentChange item={item} />
  if (item.type === 'provider.added')
    return (
      <Headline>
        <b>{item.name ?? item.provider}</b> is new: its prices can be read from now on.
      </Headline>
    )
  const named = (
    <>
      <Resource item={item} /> <Seller item={item} />
    </>
  )
  if (item.type.startsWith('price.')) return <PriceChange item={item} named={named} />
  return (
    <Headline>
      {named} {saidOf(item)}
    </Headline>
  )
}

function saidOf({ type, lines = 0, previousResource, name, groupDeleted }: FeedItem): string {
  if (type === 'resource.added') return `is new, with ${lines === 1 ? '1 price' : `${lines} prices`}`
  if (type === 'resource.removed') return 'is no longer listed'
  if (type === 'resource.renamed') return `was called ${previousResource}`
  if (type === 'alias.member_added') return `joined the group ${name}`
  return groupDeleted ? `was in the group ${name}, which was deleted` : `left the group ${name}`
}

function PriceChange({ item, named }: { item: FeedItem; named: ReactNode }) {
  const { type, dimension = '', tier = {}, currency, per, before, after, action, reason, revised, read } = item
  const conditions = shownTier(tier)
  return (
    <>
      <Headline>{named}</Headline>
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
      </Group>
      {type === 'price.changed' && before === undefined && (
        <Text size="xs" c="dimmed">
          A new price of a listed resource.
        </Text>
      )}
      {type === 'price.changed' && after === undefined && (
        <Text size="xs" c="dimmed">
          This price is no longer listed.
        </Text>
      )}
      {type === 'price.announced' && (
        <Text size="xs" c="dimmed">
          {announcementText(item)}
        </Text>
      )}
      {(type === 'price.corrected' || type === 'price.revised') && (
        <Text size="xs" c="dimmed">
          {type === 'price.revised'
            ? `The price stayed; ${revised?.join(', ')} changed.`
            : action === 'restored'
              ? 'A withdrawn price was restored.'
              : 'The price was withdrawn as wrong.'}
          {reason && ` Reason: ${reason}`}
        </Text>
      )}
      {read && (
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          Read at <Address address={read.address} />
        </Text>
      )}
    </>
  )
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

function DocumentChange({ item }: { item: FeedItem }) {
  const { provider, document, title, classification, significance, topics = [], from, to } = item
  const { wordsRemoved, wordsAdded } = item
  return (
    <>
      <Headline>
        <TextLink
          to="/documents/$provider/$document"
          params={{ provider, document: document! }}
          search={{ from: from?.versionId, to: to?.versionId } as never}
          preload={false}
          c="bright"
          fw={600}
          underline="hover"
        >
          {title}
        </TextLink>{' '}
        <Seller item={item} />
      </Headline>
      <Group gap={6}>
        <Badge variant="light" color={classification === 'substantive' ? 'orange' : 'gray'} tt="none">
          {classification}
        </Badge>
        <Significance of={significance} />
        {topics.map((topic) => (
          <Badge key={topic} variant="default" tt="none">
            {topic}
          </Badge>
        ))}
        <Text size="xs" c="dimmed">
          {wordsRemoved === 1 ? '1 word' : `${wordsRemoved} words`} removed, {wordsAdded} added
        </Text>
      </Group>
    </>
  )
}

/** Additions or removals at one provider on one day. */
function Many({ items }: { items: Entry['items'] }) {
  const [all, setAll] = useState(false)
  const [{ type, provider }] = items
  const nameOf = useProviderNames()
  const said = type === 'resource.added' ? 'new' : type === 'resource.removed' ? 'no longer listed' : 'changed groups'
  const shown = all ? items : items.slice(0, SHOWN)
  return (
    <>
      <Headline>
        <b>{items.length}</b> {said === 'changed groups' ? 'members' : 'resources'} at <b>{nameOf(provider)}</b>{' '}
        {said === 'changed groups' ? said : `are ${said}`}
      </Headline>
      <Text size="sm" component="div">
        {shown.map((item, n) => (
          <span key={item.id}>
            {n > 0 && ', '}
            <Resource item={item} />
          </span>
        ))}
        {items.length > shown.length && (
          <>
            {' '}
            <UnstyledButton fz="sm" td="underline" onClick={() => setAll(true)}>
              and {items.length - shown.length} more
            </UnstyledButton>
          </>
        )}
      </Text>
    </>
  )
}
