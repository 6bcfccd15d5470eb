import { Anchor, List, Stack, Table, Text, TextInput, Tooltip } from '@mantine/core'
import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react'
import type { ItemLine } from '../../../api/operator.ts'
import { shownPrice, unitText } from '../price-text.ts'

export type Edits = { [contentHash: string]: string }
type Props = { lines: ItemLine[]; edits?: Edits; onEdit: (edits: Edits) => void }

const MOST_LINES = 60

/** The prices that wait beside those that are published; while they are edited, with a field for each. */
export function PricesTable({ lines, edits, onEdit }: Props) {
  const shown = lines.slice(0, MOST_LINES)
  return (
    <Stack gap="xs">
      <Table.ScrollContainer minWidth={520}>
        <Table verticalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Price of</Table.Th>
              <Table.Th ta="right">Published</Table.Th>
              <Table.Th ta="right">Proposed</Table.Th>
              <Table.Th ta="right">Change</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.map((line) => (
              <Line key={line.contentHash} line={line} edits={edits} onEdit={onEdit} />
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {lines.length > shown.length && (
        <Text size="sm" c="dimmed">
          And {lines.length - shown.length} more prices, decided together with these.
        </Text>
      )}
    </Stack>
  )
}

function Line({ line, edits, onEdit }: { line: ItemLine } & Omit<Props, 'lines'>) {
  const { contentHash, resource, dimension, pricingTier, unit, price, publishedPrice, change } = line
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere', minWidth: 160 }}>
        <Text size="sm" fw={500}>
          {resource}
        </Text>
        <Text size="xs" c="dimmed">
          {dimension.replaceAll('_', ' ')}
          {pricingTier !== '{}' && ` ${pricingTier}`} · {unitText(unit)}
        </Text>
      </Table.Td>
      <Table.Td ta="right">{publishedPrice === undefined ? '–' : shownPrice(publishedPrice, unit)}</Table.Td>
      <Table.Td ta="right" fw={600}>
        {edits ? (
          <TextInput
            size="xs"
            w={120}
            ml="auto"
            aria-label={`Price of ${resource} ${dimension} in ${unitText(unit)}`}
            defaultValue={shownPrice(price, unit)}
            onChange={(event) => onEdit({ ...edits, [contentHash]: event.currentTarget.value })}
            styles={{ input: { textAlign: 'right' } }}
          />
        ) : (
          <Tooltip label={`${price} ${unit}`}>
            <span>{shownPrice(price, unit)}</span>
          </Tooltip>
        )}
      </Table.Td>
      <Table.Td ta="right">
        <Change change={change} />
      </Table.Td>
    </Table.Tr>
  )
}

/** A change by sign, shape and colour. */
function Change({ change }: { change: string | undefined }) {
  if (!change) return <Text c="dimmed">–</Text>
  const isUp = change.startsWith('+')
  const Arrow = isUp ? IconArrowUpRight : IconArrowDownRight
  return (
    <Text size="sm" span style={{ whiteSpace: 'nowrap' }} className={isUp ? 'change-up' : 'change-down'}>
      <Arrow size={14} aria-hidden style={{ verticalAlign: '-2px' }} /> {change}
    </Text>
  )
}

/** What is known about the prices, a sentence each, and the pages that show them. */
export function Evidence({ lines }: { lines: ItemLine[] }) {
  // Why they are held is beside the title.
  const sentences = [...new Set(lines.flatMap(({ evidence }) => evidence))].filter(
    (one) => !one.startsWith('Held for '),
  )
  const pages = new Map(lines.flatMap(({ witnesses }) => witnesses.map(({ source, url }) => [url, source] as const)))
  const links = [...pages].filter(([url]) => /^https?:\/\//.test(url))
  if (sentences.length === 0) return null
  return (
    <List size="sm" spacing={2}>
      {sentences.map((sentence) => (
        <List.Item key={sentence} style={{ overflowWrap: 'anywhere' }}>
          {sentence}
        </List.Item>
      ))}
      {links.map(([url, source]) => (
        <List.Item key={url}>
          <Anchor href={url} target="_blank" rel="noreferrer noopener" size="sm">
            What {source} shows
          </Anchor>
        </List.Item>
      ))}
    </List>
  )
}
