import { ActionIcon, Anchor, Group, Table, Text, TextInput, Tooltip } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { readablePrice } from '../../../../../lib/text/price-text.ts'
import type { ItemLine } from '../../../../api/operator.ts'
import { capital } from '../../../../capital.ts'
import { AlignedPrice } from '../../../../components/values/aligned-price.tsx'
import { Trend } from '../../../prices/chart/trend.tsx'
import type { Edits } from './typed-prices.ts'

type Props = {
  line: ItemLine
  decimals: number
  /** The item is about several resources. */
  isNamed: boolean
  /** The prices are in several units. */
  hasUnit: boolean
  /** What is said of this price alone. */
  sentences: string[]
  /** What is known is shown on request. */
  isCompact: boolean
  edits: Edits | undefined
  onEdit: (edits: Edits) => void
}

/** One price: what is published, what is proposed, and what speaks for it and against it. */
export function PriceLine({ sentences, isCompact, ...props }: Props) {
  const [isOpen, setOpen] = useState(false)
  const { line } = props
  const toggle = isCompact && sentences.length > 0 && (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="xs"
      aria-expanded={isOpen}
      aria-label={`What is known about ${line.resource}, ${line.name}`}
      onClick={() => setOpen(!isOpen)}
    >
      {isOpen ? <IconChevronDown size={14} aria-hidden /> : <IconChevronRight size={14} aria-hidden />}
    </ActionIcon>
  )
  return (
    <Table.Tbody>
      <Row {...props} toggle={toggle} />
      {(isOpen || !isCompact) && <Known line={line} sentences={sentences} />}
    </Table.Tbody>
  )
}

type RowProps = Omit<Props, 'sentences' | 'isCompact'> & { toggle: ReactNode }

function Row({ line, decimals, isNamed, hasUnit, edits, onEdit, toggle }: RowProps) {
  const { contentHash, resource, name, perUnit, unit, price, publishedPrice, change } = line
  return (
    <Table.Tr style={{ borderBottom: 0 }}>
      <Table.Td style={{ overflowWrap: 'anywhere', minWidth: 96 }}>
        <Group gap={4} wrap="nowrap" align="flex-start">
          {toggle}
          <Text size="sm">
            {isNamed && <b>{resource} </b>}
            <Text span inherit fw={isNamed ? 400 : 500}>
              {titled(name)}
            </Text>
            {hasUnit && (
              <Text span size="xs" c="dimmed">
                {' '}
                {perUnit}
              </Text>
            )}
          </Text>
        </Group>
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

/** What speaks for a price and against it, with the pages that show it. */
function Known({ line: { witnesses }, sentences }: Pick<Props, 'line' | 'sentences'>) {
  const links = new Map(witnesses.filter(({ url }) => /^https?:\/\//.test(url)).map(({ url, source }) => [url, source]))
  if (sentences.length === 0 && links.size === 0) return null
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
