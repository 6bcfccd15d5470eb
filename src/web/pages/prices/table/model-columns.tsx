import { Text } from '@mantine/core'
import { AlignedPrice } from '../../../components/values/aligned-price.tsx'
import { FACT_COLUMNS } from '../facts/fact-columns.tsx'
import { shownContext } from '../money.ts'
import { Amount, priced, seller, since, source } from './columns.tsx'
import type { GroupRow } from './group-models.ts'
import { countOf, isSeveral } from './group-rows.ts'
import { ModelName, sellersText } from './model-name.tsx'
import type { Column } from './price-table.tsx'
import type { ModelRow } from './unpack.ts'

const modelPrice = (dimension: string) => (row: ModelRow) =>
  row.prices.find(({ kind }) => kind.dimension === dimension && Object.keys(kind.tier).length === 0)

/** The columns of models. Most are shown when someone chooses them. */
export const MODEL_COLUMNS: Column<GroupRow>[] = [
  {
    id: 'model',
    label: 'Model',
    width: 'minmax(190px, 2fr)',
    value: (row) => row.resource.toLowerCase(),
    cell: (row) => <ModelName row={row} />,
  },
  {
    id: 'maker',
    label: 'Maker',
    width: 'minmax(96px, 1fr)',
    value: ({ model }) => model.maker?.toLowerCase(),
    cell: ({ model, isInside }) =>
      isInside || !model.maker ? undefined : (
        <Text size="sm" truncate title={model.maker}>
          {model.maker}
        </Text>
      ),
  },
  {
    ...seller<GroupRow>(),
    value: (row) => (row.sellers ? countOf(row) : row.seller.toLowerCase()),
    cell: (row) => {
      const text = isSeveral(row) ? sellersText(countOf(row)) : row.seller
      return (
        <Text size="sm" truncate title={text}>
          {text}
        </Text>
      )
    },
  },
  priced('input', 'Input', ({ input }) => input),
  priced('output', 'Output', ({ output }) => output),
  priced('cacheRead', 'Cache read', ({ cacheRead }) => cacheRead),
  priced('cacheWrite', 'Cache write', ({ cacheWrite }) => cacheWrite),
  {
    id: 'cost',
    label: 'Workload',
    unit: 'USD',
    width: '116px',
    isNumber: true,
    value: ({ cost }) => cost?.value,
    amount: ({ cost }) => cost?.shown,
    cell: ({ cost }, decimals) => cost && <AlignedPrice price={cost.shown} decimals={decimals ?? 0} />,
  },
  {
    id: 'context',
    label: 'Long context',
    unit: 'input · output',
    width: '150px',
    isNumber: true,
    value: ({ context }) => context[0]?.input?.value,
    cell: ({ context }) => (context.length > 0 ? <ContextTiers context={context} /> : undefined),
  },
  ...FACT_COLUMNS,
  since(),
  priced('audio', 'Audio input', modelPrice('input_audio_tokens')),
  priced('audioOut', 'Audio output', modelPrice('output_audio_tokens')),
  priced('image', 'Image input', modelPrice('input_image_tokens')),
  {
    id: 'count',
    label: 'Prices',
    width: '80px',
    isNumber: true,
    value: ({ prices }) => prices.length,
    cell: ({ prices }) => prices.length,
  },
  source(),
]
export const SELLER_DEFAULT = ['model', 'seller', 'input', 'output', 'cacheRead', 'cacheWrite', 'context']
/** In the table with a row for each model. */
export const MODEL_DEFAULT = ['model', 'maker', 'seller', 'input', 'output', 'cacheRead', 'cost']
const columnOf = (id: string): Column<GroupRow> => MODEL_COLUMNS.find((column) => column.id === id)!
/** Where there is little room, seller and model share a column. */
export const MODEL_NARROW: Column<GroupRow>[] = [
  {
    ...MODEL_COLUMNS[0]!,
    width: 'minmax(116px, 1fr)',
    cell: (row) => <ModelName row={row} about={isSeveral(row) ? undefined : row.seller} />,
  },
  { ...columnOf('input'), width: '78px' },
  { ...columnOf('output'), width: '78px' },
]

/** The price from the first threshold on, and whether there are more. */
const ContextTiers = ({ context }: { context: ModelRow['context'] }) => {
  const [{ above, input, output }] = context as [ModelRow['context'][number]]
  return (
    <Text size="sm" truncate>
      <Amount price={input} /> · <Amount price={output} />{' '}
      <Text span size="xs" c="dimmed">
        {shownContext(above)}
        {context.length > 1 && `, ${context.length - 1} more`}
      </Text>
    </Text>
  )
}
