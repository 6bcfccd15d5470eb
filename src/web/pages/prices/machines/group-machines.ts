import { joinKey } from '../../../../lib/collections.ts'
import { type GroupedRow, groupRows, lowest, newestOf, weakestMark } from '../table/group-rows.ts'
import type { Hour } from './hours.ts'
import { isWhole, type MachineRow } from './unpack-machine.ts'

/** This many GPUs of a kind in one machine, with its sellers and their regions. */
export type MachineGroup = GroupedRow<MachineRow>

/** Returns a row for each kind and number of GPUs, and for each machine without any. */
export const groupMachines = (rows: MachineRow[]): MachineGroup[] => groupRows(rows, machineKey, machineOf)

export const machineKey = (row: MachineRow): string =>
  isWhole(row)
    ? joinKey('gpu', row.gpu.toLowerCase(), String(row.gpus ?? ''))
    : joinKey('own', row.provider, row.resource, row.prices[0]!.kind.dimension)

const LAST = Number.POSITIVE_INFINITY
const HOURS = ['hourly', 'perGpu', 'spot'] as const
/** What is reserved for a year, or has Windows on it, comes after what has no condition. */
const rank = ({ conditions, hourly, spot }: MachineRow) => {
  const hour = conditions === '' ? (hourly ?? spot) : undefined
  return hour?.currency === 'USD' ? hour.value : LAST
}

/** Returns the row of a machine with these sellers, at the lowest prices in USD that depend on nothing but the region. */
export function machineOf(unsorted: MachineRow[]): MachineGroup {
  const sellers = unsorted.toSorted((a, b) => rank(a) - rank(b))
  const [first, ...others] = sellers as [MachineRow, ...MachineRow[]]
  if (others.length === 0) return { ...first, sellers }
  const { hourly, perGpu, spot, confirmedBy, ...rest } = first
  const usual = sellers.filter(({ conditions }) => conditions === '')
  const hours = HOURS.flatMap((name): [string, Hour][] => {
    const hour = lowest(usual.flatMap(({ [name]: one }) => (one?.currency === 'USD' ? [one] : [])))
    return hour ? [[name, hour]] : []
  })
  return {
    ...rest,
    key: `machine ${machineKey(first)}`,
    sellers,
    conditions: '',
    since: newestOf(sellers),
    prices: sellers.flatMap(({ prices }) => prices),
    ...weakestMark(sellers),
    ...Object.fromEntries(hours),
  }
}
