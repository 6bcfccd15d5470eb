import type { Hold } from '../hold.ts'

export const batchAboveStandard = {
  code: 'batch_above_standard',
  rank: 200,
  level: 'resource',
  breaks: ({ price }, { standard }) => standard !== undefined && standard.price > 0 && price > standard.price,
  ends: { by: 'time', days: 1 },
  name: 'batch above standard',
  meaning: 'The batch price is higher than the standard price.',
} as const satisfies Hold
