import { Select } from '@mantine/core'
import { shownContext } from './money.ts'
import { CONTEXTS, type PricesSearch } from './search.ts'

type Props = { search: PricesSearch; set: (change: Partial<PricesSearch>) => void }

const ORDERS = {
  models: [
    { value: '-seller', label: 'Most sellers first' },
    { value: '-released', label: 'Newest first' },
    { value: 'cost', label: 'Cheapest workload first' },
    { value: '-window', label: 'Longest context first' },
  ],
  sellers: [
    { value: 'model', label: 'By name' },
    { value: '-released', label: 'Newest first' },
    { value: 'cost', label: 'Cheapest workload first' },
    { value: '-window', label: 'Longest context first' },
  ],
  machines: [
    { value: '-seller', label: 'Most sellers first' },
    { value: 'perGpu', label: 'Cheapest GPU first' },
    { value: 'hourly', label: 'Cheapest machine first' },
    { value: '-gpus', label: 'Most GPUs first' },
  ],
}

/** The orders that people ask for. Headings of columns give the others. */
export function OrderChoice({ search, set }: Props) {
  const orders = ORDERS[search.tab ?? 'models']
  const sort = search.sort ?? orders[0]!.value
  const isListed = orders.some(({ value }) => value === sort)
  return (
    <Select
      aria-label="Order"
      placeholder="By a column"
      data={orders}
      value={isListed ? sort : null}
      allowDeselect={false}
      onChange={(order) => set({ sort: order === orders[0]!.value ? undefined : (order ?? undefined) })}
      style={{ flex: '1 1 190px' }}
    />
  )
}

/** How many tokens a model must take. */
export const ContextChoice = ({ search, set }: Props) => (
  <Select
    aria-label="Context window"
    placeholder="Any context"
    data={CONTEXTS.map((value) => ({ value, label: `Context of ${shownContext(value)} or more` }))}
    value={search.context ?? null}
    onChange={(context) => set({ context: context ?? undefined })}
    clearable
    clearButtonProps={{ 'aria-label': 'Any context' }}
    style={{ flex: '1 1 170px' }}
  />
)
