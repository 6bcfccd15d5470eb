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
import { plural } from '../../../lib/text/plural.ts'
import type { FeedItem } from '../../api/feed.ts'
import { useProviderNames } from '../../api/provider-names.ts'
import { TextLink } from '../../components/links.tsx'
import { Moment } from '../../components/values/moment.tsx'
import { keepAsOf } from '../../search.ts'
import { Significance } from '../documents/significance.tsx'
import type { Entry } from './group-items.ts'
import { PriceChanges } from './price-changes.tsx'

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
        {items.length > 1 && !item.type.startsWith('price.') ? <Many items={items} /> : <One items={items} />}
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

/** One change; of prices, all those of a resource that changed at one instant. */
function One({ items }: { items: Entry['items'] }): ReactNode {
  const [item] = items
  if (item.type === 'tos.changed') return <DocumentChange item={item} />
  if (item.type === 'provider.added')
    return (
      <Headline>
        <b>{item.name ?? item.provider}</b> is new. Its prices are available from now on.
      </Headline>
    )
  const named = (
    <>
      <Resource item={item} /> <Seller item={item} />
    </>
  )
  if (item.type.startsWith('price.')) return <PriceChanges items={items} named={named} />
  return (
    <Headline>
      {named} {saidOf(item)}
    </Headline>
  )
}

function saidOf({ type, lines = 0, previousResource, name, groupDeleted }: FeedItem): string {
  if (type === 'resource.added') return `is new, with ${plural(lines, 'price')}`
  if (type === 'resource.removed') return 'is no longer listed'
  if (type === 'resource.renamed') return `was called ${previousResource}`
  if (type === 'alias.member_added') return `joined the group ${name}`
  return groupDeleted ? `was in the group ${name}, which was deleted` : `left the group ${name}`
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
