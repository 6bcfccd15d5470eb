import { Stack, Text } from '@mantine/core'
import { AlignedPrice } from '../../components/aligned-price.tsx'
import { TextLink } from '../../components/links.tsx'
import { Moment } from '../../components/moment.tsx'
import { keepAsOf } from '../../search.ts'
import { CorrectLink } from './correct-link.tsx'
import { shownPrice } from './money.ts'
import type { Column } from './price-table.tsx'
import type { MachineRow, Price } from './unpack.ts'

const PER_MILLION = 'USD / 1M'
const PER_HOUR = 'USD / hour'
const PRICE_WIDTH = '92px'

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

type Named = { resource: string; seller: string; provider: string }

/** Where a row has one line, what does not fit is cut; `isWhole` where it may have more. */
type NameProps = { row: Named; label?: string; about?: string; isWhole?: boolean }

/** A resource's name leads to its page, at the same instant. */
export const Name = ({ row, label = row.resource, about, isWhole = false }: NameProps) => (
  <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
    <TextLink
      to="/prices/$provider/$resource"
      params={{ provider: row.provider, resource: row.resource }}
      search={keepAsOf}
      preload={false}
      underline="hover"
      c="bright"
      fw={500}
      size="sm"
      truncate={!isWhole}
      title={isWhole ? undefined : label}
    >
      {label}
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
    return price && <Amount price={price} decimals={decimals} />
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
export const seller = <Row extends Named>(): Column<Row> => ({
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

/** For operators, after the columns that everybody has. */
export const correct = <Row extends Named>(): Column<Row> => ({
  id: 'correct',
  label: 'Correct',
  width: '44px',
  isUnsorted: true,
  value: () => undefined,
  cell: (row) => <CorrectLink row={row} isIcon />,
})

/** What the price of an hour is for: an instance, a GPU. */
const soldBy = ({ prices: [price] }: MachineRow): string => price!.kind.per.replace(/ hour$/, '')

/** The columns of machines. */
export const MACHINE_COLUMNS: Column<MachineRow>[] = [
  {
    id: 'gpu',
    label: 'GPU',
    width: 'minmax(112px, 1fr)',
    value: ({ gpu }) => gpu.toLowerCase() || undefined,
    cell: (row) => row.gpu && (row.gpu === row.resource ? <Name row={row} /> : row.gpu),
  },
  {
    id: 'machine',
    label: 'Machine',
    width: 'minmax(140px, 2fr)',
    value: ({ machine }) => machine.toLowerCase() || undefined,
    cell: (row) => row.machine && <Name row={row} label={row.machine} />,
  },
  {
    id: 'gpus',
    label: 'GPUs',
    unit: 'per machine',
    width: '88px',
    isNumber: true,
    value: ({ gpus }) => gpus,
    cell: ({ gpus }) => gpus,
  },
  priced('hourly', 'On demand', ({ hourly }) => hourly, PER_HOUR),
  priced('spot', 'Spot', ({ spot }) => spot, PER_HOUR),
  {
    id: 'per',
    label: 'For',
    width: '106px',
    value: (row) => row.prices[0]!.kind.per,
    cell: (row) => `one ${soldBy(row)}`,
  },
  {
    id: 'region',
    label: 'Region',
    width: '142px',
    value: ({ region }) => region || undefined,
    cell: ({ region }) => region,
  },
  { ...seller<MachineRow>(), width: 'minmax(90px, 1fr)' },
  since(),
  source(),
]
export const MACHINE_DEFAULT = ['gpu', 'machine', 'gpus', 'hourly', 'spot', 'per', 'region', 'seller']
export const MACHINE_NARROW: Column<MachineRow>[] = [
  {
    ...MACHINE_COLUMNS[1]!,
    id: 'machine',
    width: 'minmax(116px, 1fr)',
    value: ({ resource }) => resource.toLowerCase(),
    cell: (row) => <Name row={row} about={[soldBy(row), row.region, row.seller].filter(Boolean).join(' · ')} />,
  },
  { ...MACHINE_COLUMNS[3]!, width: '84px' },
  { ...MACHINE_COLUMNS[4]!, width: '84px' },
]
