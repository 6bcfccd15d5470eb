import { Button, List, ScrollArea, Stack, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { readablePrice } from '../../../../../lib/text/price-text.ts'
import type { ItemLine } from '../../../../api/operator.ts'
import { columnDecimals } from '../../../../components/values/decimals.ts'
import { PriceLine } from './price-line.tsx'
import { COMPACT_FROM, ownSentences, sharedOf, summaryOf } from './price-lines-rules.ts'
import type { Edits } from './typed-prices.ts'

type Props = { lines: ItemLine[]; count: number; edits?: Edits; onEdit: (edits: Edits) => void }

const MOST_LINES = 60
/** A longer table scrolls by itself, so that what stands below it stays in view. */
const TABLE_HEIGHT = 460

/** The prices that wait beside those that are published, one a line; while they are edited, with a field for each. */
export function PricesTable({ lines, count, edits, onEdit }: Props) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? lines : lines.slice(0, MOST_LINES)
  const { sentences, perUnit, resource } = sharedOf(lines)
  const decimals = columnDecimals(
    shown.flatMap(({ price, publishedPrice, unit }) => [
      readablePrice(price, unit),
      publishedPrice && readablePrice(publishedPrice, unit),
    ]),
  )
  const isCompact = lines.length >= COMPACT_FROM
  return (
    <Stack gap="xs">
      {isCompact && <Text size="sm">{summaryOf(lines)}</Text>}
      {sentences.length > 0 && (
        <List size="sm" c="dimmed" spacing={2} aria-label="True of all of these prices">
          {sentences.map((sentence) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
      )}
      <ScrollArea.Autosize mah={isCompact ? TABLE_HEIGHT : undefined} type="auto" offsetScrollbars="y">
        <Table
          aria-label="Prices that wait"
          verticalSpacing={isCompact ? 2 : 4}
          horizontalSpacing={6}
          stickyHeader={isCompact}
          miw={300}
        >
          <Table.Thead>
            <Table.Tr>
              <Table.Th>
                Price of
                {perUnit && (
                  <Text span size="xs" c="dimmed" fw={400}>
                    {' '}
                    in {perUnit}
                  </Text>
                )}
              </Table.Th>
              <Table.Th ta="right">Published</Table.Th>
              <Table.Th ta="right">Proposed</Table.Th>
              <Table.Th ta="right" visibleFrom="xs">
                Change
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          {shown.map((line) => (
            <PriceLine
              key={line.contentHash}
              line={line}
              decimals={decimals}
              isNamed={resource === undefined}
              hasUnit={perUnit === undefined}
              sentences={ownSentences(line, lines, sentences)}
              isCompact={isCompact}
              edits={edits}
              onEdit={onEdit}
            />
          ))}
        </Table>
      </ScrollArea.Autosize>
      {lines.length > shown.length && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setWhole(true)}>
          Show all {lines.length} prices: they are decided together
        </Button>
      )}
      {count > lines.length && (
        <Text size="sm" c="dimmed">
          And {(count - lines.length).toLocaleString('en')} more prices, decided together with these.
        </Text>
      )}
    </Stack>
  )
}
