import { Checkbox, Group, Paper, Stack, Text, UnstyledButton } from '@mantine/core'
import { memo, useEffect, useRef } from 'react'
import type { QueueItem } from '../../../api/operator.ts'
import { useProviderNames } from '../../../api/provider-names.ts'
import { Words } from '../../../components/loading/skeletons.tsx'
import { Moment } from '../../../components/values/moment.tsx'
import { headOf, KIND_NAMES, sellerOf } from './kinds.ts'
import classes from './review.module.css'

type Props = {
  items: QueueItem[]
  current: string | undefined
  selected: Set<string>
  onOpen: (item: QueueItem) => void
  onToggle: (id: string) => void
}

/** What waits, the longest waiting first. One is open; any number can be selected. */
export const ItemList = ({ items, current, selected, onOpen, onToggle }: Props) => (
  <Paper withBorder className={classes.list}>
    <ul className={classes.items} aria-label="Items that wait">
      {items.map((item) => (
        <ItemRow
          key={item.id}
          item={item}
          isOpen={item.id === current}
          isSelected={selected.has(item.id)}
          onOpen={onOpen}
          onToggle={onToggle}
        />
      ))}
    </ul>
  </Paper>
)

type RowProps = Pick<Props, 'onOpen' | 'onToggle'> & { item: QueueItem; isOpen: boolean; isSelected: boolean }

/** Drawn again only where it changes: a key opens and closes one row each, and the list may be long. */
const ItemRow = memo(({ item, isOpen, isSelected, onOpen, onToggle }: RowProps) => {
  const row = useRef<HTMLLIElement>(null)
  useEffect(() => {
    if (isOpen) row.current?.scrollIntoView({ block: 'nearest' })
  }, [isOpen])
  const { id, question, kind, openedAt } = item
  const { title, rest } = headOf(item)
  const nameOf = useProviderNames()
  return (
    <li ref={row} className={classes.item} data-open={isOpen || undefined} data-selected={isSelected || undefined}>
      <Checkbox
        size="xs"
        checked={isSelected}
        onChange={() => onToggle(id)}
        aria-label={`Select ${question}`}
        tabIndex={-1}
      />
      <UnstyledButton className={classes.open} onClick={() => onOpen(item)} aria-current={isOpen || undefined}>
        <Group gap={6} wrap="nowrap" justify="space-between">
          <Text size="xs" c="dimmed" truncate>
            {sellerOf(item, nameOf)} · {KIND_NAMES[kind]}
          </Text>
          <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
            <Moment at={openedAt} />
          </Text>
        </Group>
        <Text size="sm" fw={500} lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
          {title}
        </Text>
        {rest && (
          <Text size="xs" c="dimmed" lineClamp={1} style={{ overflowWrap: 'anywhere' }}>
            {rest}
          </Text>
        )}
      </UnstyledButton>
    </li>
  )
})

const LOADING_ITEMS = 7

/** The list while it is loading. */
export const ItemsLoading = () => (
  <Paper withBorder className={classes.list}>
    <ul className={classes.items} aria-hidden>
      {Array.from({ length: LOADING_ITEMS }, (_, item) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <li key={item} className={classes.item}>
          <Stack gap={6} flex={1}>
            <Words width={160} />
            <Words width={220} />
          </Stack>
        </li>
      ))}
    </ul>
  </Paper>
)
