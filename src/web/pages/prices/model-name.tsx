import { ActionIcon, Group, Text } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { createContext, useContext } from 'react'
import { TextLink } from '../../components/links.tsx'
import { Name } from './columns.tsx'
import { countOf, type GroupRow } from './group-models.ts'

/** Opens a model, so that its sellers are below it, and closes it. */
export const ToggleModel = createContext<(key: string) => void>(() => {})

export const sellersText = (count: number): string => (count === 1 ? '1 seller' : `${count} sellers`)

/** As many as a comparison takes. */
const MOST_COMPARED = 6

/** The name of a model: one that several sell opens, and leads to their comparison. */
export function ModelName({ row, about }: { row: GroupRow; about?: string | undefined }) {
  const { sellers, isInside } = row
  if (!sellers || sellers.length < 2)
    return (
      <div style={{ paddingInlineStart: isInside ? 48 : 26, minWidth: 0 }}>
        <Name row={row} {...(about && { about })} />
      </div>
    )
  return <Several row={row} sellers={sellers} hasCount={about !== undefined} />
}

function Several({
  row,
  sellers,
  hasCount,
}: {
  row: GroupRow
  sellers: NonNullable<GroupRow['sellers']>
  hasCount: boolean
}) {
  const toggle = useContext(ToggleModel)
  const { key, model, isOpen } = row
  const compared = model.group
    ? ({ to: '/compare/$group', params: { group: model.group } } as const)
    : ({
        to: '/compare',
        search: { of: sellers.slice(0, MOST_COMPARED).map(({ provider, resource }) => [provider, resource]) },
      } as const)
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        size={22}
        aria-expanded={isOpen === true}
        aria-label={`Sellers of ${model.name}`}
        onClick={() => toggle(key)}
      >
        {isOpen ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
      </ActionIcon>
      <TextLink
        {...(compared as { to: string })}
        preload={false}
        underline="hover"
        c="bright"
        fw={500}
        size="sm"
        truncate
        title={model.name}
      >
        {model.name}
      </TextLink>
      {hasCount && (
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {sellersText(countOf(row))}
        </Text>
      )}
    </Group>
  )
}
