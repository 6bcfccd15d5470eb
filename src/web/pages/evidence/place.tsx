import { Code, Mark, Table, Text } from '@mantine/core'
import type { Evidence } from '../../api/prices.ts'

const WHY: Record<NonNullable<Evidence['noPlace']>, string> = {
  no_snapshot: 'This price was recorded without a snapshot.',
  snapshot_deleted: 'The snapshot is not kept any more.',
  too_large: 'The snapshot is larger than 32 MB. It is kept but not searched here.',
  not_found: 'The snapshot has no such place as it is read today.',
}

type Props = Pick<Evidence, 'place' | 'noPlace'>

/** A part of a foreign page or file. All of it is shown as text: nothing in it becomes an element, a link or a style. */
export function ShownPlace({ place, noPlace }: Props) {
  if (!place) return <Text size="sm">{WHY[noPlace ?? 'not_found']}</Text>
  return place.table ? <PlaceTable {...place.table} /> : <PlaceText {...place} />
}

function PlaceText({ text, mark }: NonNullable<Evidence['place']>) {
  const [from, to] = mark ?? [0, 0]
  return (
    <Code
      block
      style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', maxHeight: 360, overflow: 'auto' }}
      tabIndex={0}
      aria-label="The place in the file"
    >
      {text.slice(0, from)}
      {to > from && <Mark>{text.slice(from, to)}</Mark>}
      {text.slice(to)}
    </Code>
  )
}

type Cells = NonNullable<NonNullable<Evidence['place']>['table']>

function PlaceTable({ under, rows, headerRows, at }: Cells) {
  // The place of a cell is all that tells it from others: pages repeat texts.
  const cells = rows.map((row, y) => ({
    y,
    row: row.map((text, x) => ({ x, text, isPrice: at?.[0] === y && at[1] === x })),
  }))
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        {under.join(' / ')}
      </Text>
      <Table.ScrollContainer minWidth={480}>
        <Table withTableBorder withColumnBorders verticalSpacing={4} fz="sm" aria-label="The place on the page">
          <Table.Thead>
            {cells.slice(0, headerRows).map(({ y, row }) => (
              <Table.Tr key={y}>
                {row.map(({ x, text }) => (
                  <Table.Th key={x}>{text}</Table.Th>
                ))}
              </Table.Tr>
            ))}
          </Table.Thead>
          <Table.Tbody>
            {cells.slice(headerRows).map(({ y, row }) => (
              <Table.Tr key={y}>
                {row.map(({ x, text, isPrice }) => (
                  <Table.Td key={x}>{isPrice ? <Mark>{text}</Mark> : text}</Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </div>
  )
}
