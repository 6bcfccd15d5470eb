import { Text } from '@mantine/core'
import { AlignedPrice } from '../../../components/values/aligned-price.tsx'
import { keepWorkload } from '../../../search.ts'
import { PRICE_WIDTH, seller, since, source } from '../table/columns.tsx'
import { countOf, isSeveral } from '../table/group-rows.ts'
import { MOST_COMPARED, SellerName, SeveralName, sellersText } from '../table/model-name.tsx'
import type { Column } from '../table/price-table.tsx'
import { splitParts } from '../table/row-key.ts'
import type { MachineGroup } from './group-machines.ts'
import type { Hour } from './hours.ts'
import { isWhole } from './unpack-machine.ts'

const hourly = (id: string, label: string, of: (row: MachineGroup) => Hour | undefined): Column<MachineGroup> => ({
  ...{ id, label, unit: 'USD / hour', width: PRICE_WIDTH, isNumber: true },
  value: (row) => of(row)?.value,
  amount: (row) => of(row)?.shown,
  cell: (row, decimals = 0) => {
    const hour = of(row)
    return (
      hour && (
        <>
          {hour.currency !== 'USD' && (
            <Text span size="xs" c="dimmed">
              {hour.currency}{' '}
            </Text>
          )}
          <AlignedPrice price={hour.shown} decimals={decimals} />
        </>
      )
    )
  },
})

/** A GPU by its name; what has none by its own. */
const nameOf = (row: MachineGroup): string => row.gpu || row.resource

const differing = (row: MachineGroup, of: (row: { region: string; machine: string }) => string): string[] => [
  ...new Set((row.sellers ?? [row]).map(of).filter(Boolean)),
]

/** The one of them, or how many there are. */
const oneOrCount = (found: string[], several: string): string | undefined =>
  found.length > 1 ? `${found.length} ${several}` : found[0]

const Cut = ({ text }: { text: string | undefined }) =>
  text ? (
    <Text size="sm" truncate title={text}>
      {text}
    </Text>
  ) : undefined

/** `8 × H100`: where the number has no column. */
const countedName = (row: MachineGroup): string =>
  row.gpus === undefined ? nameOf(row) : `${row.gpus} × ${nameOf(row)}`

type NameProps = { row: MachineGroup; name: string; about?: string }

/** Below its GPU it is the machine, and where it is. */
const MachineName = ({ row, name, about }: NameProps) => {
  if (!isSeveral(row)) return <SellerName row={row} label={(row.isInside && row.machine) || name} about={about} />
  const of = row.sellers!.slice(0, MOST_COMPARED).map(({ key }) => splitParts(key))
  return <SeveralName row={row} name={name} link={{ to: '/compare', search: keepWorkload({ of }) }} />
}

/** A part that is sold beside machines says what one of it is. */
const machineText = (row: MachineGroup): string | undefined => {
  if (!isWhole(row) && row.gpu === '') return `one ${row.prices[0]!.kind.per.replace(/ hour$/, '')}`
  return oneOrCount(
    differing(row, ({ machine }) => machine),
    'machines',
  )
}
const regionText = (row: MachineGroup): string | undefined =>
  [
    oneOrCount(
      differing(row, ({ region }) => region),
      'regions',
    ),
    row.conditions,
  ]
    .filter(Boolean)
    .join(', ') || undefined

/** The columns of machines. */
export const MACHINE_COLUMNS: Column<MachineGroup>[] = [
  {
    id: 'gpu',
    label: 'GPU',
    width: 'minmax(160px, 1.4fr)',
    value: (row) => nameOf(row).toLowerCase(),
    cell: (row) => <MachineName row={row} name={nameOf(row)} />,
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
  hourly('hourly', 'On demand', (row) => row.hourly),
  hourly('perGpu', 'Per GPU', (row) => row.perGpu),
  hourly('spot', 'Spot', (row) => row.spot),
  {
    id: 'machine',
    label: 'Machine',
    width: 'minmax(140px, 1.2fr)',
    value: (row) => machineText(row)?.toLowerCase(),
    cell: (row) => <Cut text={machineText(row)} />,
  },
  {
    id: 'region',
    label: 'Region',
    width: 'minmax(110px, 1fr)',
    value: regionText,
    cell: (row) => <Cut text={regionText(row)} />,
  },
  {
    ...seller<MachineGroup>(),
    width: 'minmax(90px, 1fr)',
    value: (row) => (row.sellers ? countOf(row) : row.seller.toLowerCase()),
    cell: (row) => <Cut text={countOf(row) > 1 ? sellersText(countOf(row)) : row.seller} />,
  },
  since(),
  source(),
]
const columnOf = (id: string): Column<MachineGroup> => MACHINE_COLUMNS.find((column) => column.id === id)!
export const MACHINE_DEFAULT = ['gpu', 'gpus', 'hourly', 'perGpu', 'spot', 'machine', 'region', 'seller']
/** Where there is little room, the name's column says how many GPUs, and where. */
export const MACHINE_NARROW: Column<MachineGroup>[] = [
  {
    ...columnOf('gpu'),
    width: 'minmax(116px, 1fr)',
    cell: (row) => (
      <MachineName
        row={row}
        name={countedName(row)}
        about={[regionText(row), row.seller].filter(Boolean).join(' · ')}
      />
    ),
  },
  { ...columnOf('hourly'), width: '92px' },
  { ...columnOf('perGpu'), width: '76px' },
]
