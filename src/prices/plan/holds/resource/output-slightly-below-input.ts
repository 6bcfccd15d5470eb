import type { Hold } from '../hold.ts'
import { isSwapped, shareOfInput } from './output-below-input.ts'

export const outputSlightlyBelowInput = {
  code: 'output_slightly_below_input',
  rank: 190,
  level: 'resource',
  breaks: (line, beside) => {
    const share = shareOfInput(line, beside) ?? 1
    return share < 1 && !isSwapped(share)
  },
  ends: { by: 'time', days: 1 },
  name: 'output below input',
  meaning: 'Output costs less than input.',
} as const satisfies Hold
