import { Anchor, Stack, Table, Text, TextInput, Tooltip } from '@mantine/core'
import { readablePrice } from '../../../../lib/price-text.ts'
import type { ItemLine } from '../../../api/operator.ts'
import { capital } from '../../../capital.ts'
import { AlignedPrice } from '../../../components/aligned-price.tsx'
import { columnDecimals } from '../../../components/decimals.ts'
import { Trend } from '../../prices/trend.tsx'
import type { Edits } from './typed-prices.ts'

type Props = { lines: ItemLine[]; count: number; edits?: Edits; onEdit: (edits: Edits) => void }

const MOST_LINES = 60

/** The prices that wait beside those that are published, each with what is known about it; while they are edited, with a field for each. */
export function PricesTable({ lines, count, edits, onEdit }: Props) {
  const shown = lines.slice(0, MOST_LINES)
  const isOneResource = lines.every(({ resource }) => resource === lines[0]!.resource)
  const decimals = columnDecimals(
    shown.flatMap(({ price, publishedPrice, unit }) => [
      readablePrice(price, unit),
      publishedPrice && readablePrice(publishedPrice, unit),
    ]),
  )
  // What is the same for all is beside the title.
  const isAlike = lines.every(({ reasons }) => reasons.join() === lines[0]!.reasons.join())
  return (
    <Stack gap="xs">
      <Table.ScrollContainer minWidth={300}>
        <Table verticalSpacing={4} horizontalSpacing={6}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Price of</Table.Th>
              <Table.Th ta="right">Published</Table.Th>
              <Table.Th ta="right">Proposed</Table.Th>
              <Table.Th ta="right" visibleFrom="xs">
                Change
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          {shown.map((line) => (
            <Table.Tbody key={line.contentHash}>
              <Line line={line} decimals={decimals} edits={edits} onEdit={onEdit} isNamed={!isOneResource} />
              <Facts line={line} hasReasons={!isAlike} />
            </Table.Tbody>
          ))}
        </Table>
      </Table.ScrollContainer>
      {count > shown.length && (
        <Text size="sm" c="dimmed">
          And {count - shown.length} more prices, decided together with these.
        </Text>
      )}
    </Stack>
  )
}

type LineProps = { line: ItemLine; decimals: number; isNamed: boolean } & Omit<Props, 'lines' | 'count'>

function Line({ line, decimals, edits, onEdit, isNamed }: LineProps) {
  const { contentHash, resource, name, perUnit, unit, price, publishedPrice, change } = line
  return (
    <Table.Tr style={{ borderBottom: 0 }}>
      <Table.Td style={{ overflowWrap: 'anywhere', minWidth: 96 }}>
        {isNamed && (
          <Text size="sm" fw={500}>
            {resource}
          </Text>
        )}
        <Text size="sm" fw={isNamed ? 400 : 500}>
          {titled(name)}
        </Text>
        <Text size="xs" c="dimmed">
          {perUnit}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        {publishedPrice === undefined ? (
          '–'
        ) : (
          <AlignedPrice price={readablePrice(publishedPrice, unit)} decimals={decimals} />
        )}
      </Table.Td>
      <Table.Td ta="right" fw={600}>
        {edits ? (
          <TextInput
            size="xs"
            w={{ base: 84, sm: 120 }}
            ml="auto"
            aria-label={`Price of ${resource}, ${name}, in ${perUnit}`}
            inputMode="decimal"
            defaultValue={edits[contentHash] ?? readablePrice(price, unit)}
            onChange={(event) => onEdit({ ...edits, [contentHash]: event.currentTarget.value })}
            styles={{ input: { textAlign: 'right' } }}
          />
        ) : (
          <Tooltip label={`${price} ${unit}`}>
            <span>
              <AlignedPrice price={readablePrice(price, unit)} decimals={decimals} />
            </span>
          </Tooltip>
        )}
        <Text component="div" fw={400} hiddenFrom="xs">
          <Change change={change} />
        </Text>
      </Table.Td>
      <Table.Td ta="right" visibleFrom="xs">
        <Change change={change} />
      </Table.Td>
    </Table.Tr>
  )
}

const titled = (text: string): string => capital(text).replace(/^Gpu\b/, 'GPU')

const Change = ({ change }: { change: string | undefined }) =>
  change ? (
    <Trend direction={change.startsWith('+') ? 'up' : 'down'} percent={change} />
  ) : (
    <Text size="sm" span c="dimmed">
      –
    </Text>
  )

/** What speaks for a price and against it, under the price, with the pages that show it. */
function Facts({ line: { reasons, facts, witnesses }, hasReasons }: { line: ItemLine; hasReasons: boolean }) {
  const sentences = [...(hasReasons ? reasons : []), ...facts]
  const links = new Map(witnesses.filter(({ url }) => /^https?:\/\//.test(url)).map(({ url, source }) => [url, source]))
  if (sentences.length === 0) return null
  return (
    <Table.Tr>
      <Table.Td colSpan={4} pt={0} pb="xs">
        <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
          {sentences.join(' ')}{' '}
          {[...links].map(([url, source]) => (
            <Anchor key={url} href={url} target="_blank" rel="noreferrer noopener" size="xs" mr={6}>
              What {source} shows
            </Anchor>
          ))}
        </Text>
      </Table.Td>
    </Table.Tr>
  )
}
