import { Stack, Text } from '@mantine/core'
import { TextLink } from '../../../components/links.tsx'
import { AlignedPrice } from '../../../components/values/aligned-price.tsx'
import { Middle } from '../../../components/values/middle.tsx'
import { Moment } from '../../../components/values/moment.tsx'
import { keepWorkload } from '../../../search.ts'
import { CorrectLink } from '../correct-link.tsx'
import { shownPrice } from '../money.ts'
import { WithAnnounced } from '../resource/announced.tsx'
import { isSeveral } from './group-rows.ts'
import type { Column } from './price-table.tsx'
import type { Price } from './row.ts'

const PER_MILLION = 'USD / 1M'
export const PRICE_WIDTH = '92px'

const amountOf = ({ price, kind }: Price): string => shownPrice(price, kind.places)

/** Currencies other than the column's are named. Without `decimals` it stands in a line with others and is not aligned. */
export const Amount = ({ price, decimals }: { price: Price | undefined; decimals?: number | undefined }) =>
  price && (
    <>
      {price.kind.currency !== 'USD' && (
        <Text span size="xs" c="dimmed">
          {price.kind.currency}{' '}
        </Text>
      )}
      {decimals === undefined ? amountOf(price) : <AlignedPrice price={amountOf(price)} decimals={decimals} />}
    </>
  )

type NamedRow = { resource: string; seller: string; provider: string }

/** Where a row has one line, what does not fit is cut; `isWhole` where it may have more. */
type NameProps = { row: NamedRow; label?: string; about?: string; isWhole?: boolean }

const SHOWN = keepWorkload()

/** A resource's name leads to its page, at the same instant and with the same workload. */
export const Name = ({ row, label = row.resource, about, isWhole = false }: NameProps) => (
  <Stack gap={0} style={{ overflowWrap: 'anywhere', minWidth: 0 }}>
    <TextLink
      to="/prices/$provider/$resource"
      params={{ provider: row.provider, resource: row.resource }}
      search={SHOWN}
      preload={false}
      underline="hover"
      c="bright"
      fw={500}
      size="sm"
      truncate={!isWhole}
      title={isWhole ? undefined : label}
      aria-label={isWhole ? undefined : label}
    >
      {isWhole ? label : <Middle>{label}</Middle>}
    </TextLink>
    {about && (
      <Text size="xs" c="dimmed" lh={1.3} lineClamp={isWhole ? undefined : 2} title={isWhole ? undefined : about}>
        {about}
      </Text>
    )}
  </Stack>
)

export const priced = <Row,>(
  id: string,
  label: string,
  of: (row: Row) => Price | undefined,
  unit = PER_MILLION,
): Column<Row> => ({
  id,
  label,
  unit,
  width: PRICE_WIDTH,
  isNumber: true,
  value: (row) => of(row)?.value,
  amount: (row) => {
    const price = of(row)
    return price && amountOf(price)
  },
  cell: (row, decimals) => {
    const price = of(row)
    return (
      price && (
        <WithAnnounced price={price}>
          <Amount price={price} decimals={decimals} />
        </WithAnnounced>
      )
    )
  },
})

export const since = <Row extends { since: string }>(): Column<Row> => ({
  id: 'since',
  label: 'Last change',
  width: '130px',
  value: ({ since }) => since,
  cell: ({ since }) => <Moment at={since} />,
})
export const source = <Row extends { source: string }>(): Column<Row> => ({
  id: 'source',
  label: 'Source',
  width: '150px',
  value: (row) => row.source,
  cell: (row) => (
    <Text size="sm" truncate>
      {row.source}
    </Text>
  ),
})
export const seller = <Row extends NamedRow>(): Column<Row> => ({
  id: 'seller',
  label: 'Seller',
  width: 'minmax(170px, 1.2fr)',
  value: (row) => row.seller.toLowerCase(),
  cell: (row) => (
    <Text size="sm" truncate title={row.seller}>
      {row.seller}
    </Text>
  ),
})

/** For operators, after the columns that everyone has. */
export const correct = <Row extends NamedRow & { sellers?: unknown[] }>(): Column<Row> => ({
  id: 'correct',
  label: 'Correct',
  width: '44px',
  isUnsorted: true,
  value: () => undefined,
  cell: (row) => (isSeveral(row) ? '' : <CorrectLink row={row} isIcon />),
})
