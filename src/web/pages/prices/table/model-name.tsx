import { ActionIcon, Group, Text } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { createContext, type ReactNode, useContext } from 'react'
import { plural } from '../../../../lib/text/plural.ts'
import { TextLink } from '../../../components/links.tsx'
import { Middle } from '../../../components/values/middle.tsx'
import { keepWorkload } from '../../../search.ts'
import { ConfirmedMark } from '../confirmed-mark.tsx'
import { Name } from './columns.tsx'
import type { GroupRow } from './group-models.ts'
import { countOf, isSeveral } from './group-rows.ts'
import type { Row } from './row.ts'

/** Opens a group, so that its sellers are below it, and closes it. */
export const ToggleModel = createContext<(key: string) => void>(() => {})

export const sellersText = (count: number): string => plural(count, 'seller')

/** As many as a comparison takes. */
export const MOST_COMPARED = 6

/** The name of a model: one that several sell opens, and leads to their comparison. */
export function ModelName({ row, about }: { row: GroupRow; about?: string | undefined }) {
  if (!isSeveral(row)) return <SellerName row={row} about={about} />
  const { model, sellers = [] } = row
  const compared = model.group
    ? { to: '/compare/$group', params: { group: model.group }, search: keepWorkload() }
    : {
        to: '/compare',
        search: keepWorkload({
          of: sellers.slice(0, MOST_COMPARED).map(({ provider, resource }) => [provider, resource]),
        }),
      }
  return (
    <SeveralName row={row} name={model.name} link={compared}>
      {about !== undefined && (
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {sellersText(countOf(row))}
        </Text>
      )}
    </SeveralName>
  )
}

type One = Pick<Row, 'provider' | 'seller' | 'resource' | 'confirmedBy'> & { isInside?: boolean }
type SellerProps = { row: One; label?: string | undefined; about?: string | undefined }

/** What one seller sells; below its group it is set in. */
export const SellerName = ({ row, label, about }: SellerProps) => (
  <Group gap={4} wrap="nowrap" style={{ paddingInlineStart: row.isInside ? 48 : 26, minWidth: 0 }}>
    <Name row={row} {...(label && { label })} {...(about && { about })} />
    <ConfirmedMark by={row.confirmedBy} />
  </Group>
)

type SeveralProps = {
  row: Pick<Row, 'key' | 'confirmedBy'> & { isOpen?: boolean }
  name: string
  link: object
  children?: ReactNode
}

/** What several sell: it opens, and leads to their comparison. */
export function SeveralName({ row: { key, isOpen, confirmedBy }, name, link, children }: SeveralProps) {
  const toggle = useContext(ToggleModel)
  return (
    <Group gap={4} wrap="nowrap">
      <ActionIcon
        variant="subtle"
        color="gray"
        size={22}
        aria-expanded={isOpen === true}
        aria-label={`Sellers of ${name}`}
        onClick={() => toggle(key)}
      >
        {isOpen ? <IconChevronDown size={16} aria-hidden /> : <IconChevronRight size={16} aria-hidden />}
      </ActionIcon>
      <TextLink
        {...(link as { to: string })}
        preload={false}
        underline="hover"
        c="bright"
        fw={500}
        size="sm"
        truncate
        title={name}
        aria-label={name}
      >
        <Middle>{name}</Middle>
      </TextLink>
      <ConfirmedMark by={confirmedBy} />
      {children}
    </Group>
  )
}
