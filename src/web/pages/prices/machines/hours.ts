import { type Decimal, times } from '../../../../lib/decimal.ts'
import { shownPrice } from '../money.ts'
import type { Price } from '../table/row.ts'

/** What an hour costs. A quotient is rounded: the exact price is that of the machine. */
export type Hour = { value: number; shown: string; currency: string }

/** Decimals that a rounded price keeps. */
const DECIMALS = 4

const hour = (price: string, currency: string): Hour => ({
  value: Number(price),
  shown: shownPrice(price, 0),
  currency,
})

type Prices = { ofMachine?: Hour; ofGpu?: Hour }

/** Returns what a machine and one of its GPUs cost by the hour, of the price of either. */
export function hoursOf({ kind, price }: Price, gpus: number | undefined): Prices {
  const { dimension, currency } = kind
  if (dimension === 'gpu_hours')
    return {
      ofGpu: hour(price, currency),
      ofMachine: hour(times(price as Decimal, String(gpus ?? 1) as Decimal), currency),
    }
  const ofMachine = hour(price, currency)
  if (dimension !== 'instance_hours' || gpus === undefined || gpus === 0) return { ofMachine }
  return { ofMachine, ofGpu: hour(quotient(price, gpus), currency) }
}

function quotient(price: string, gpus: number): string {
  const [whole = '', fraction = ''] = price.split('.')
  const scaled = BigInt(whole + fraction) * 10n ** BigInt(DECIMALS)
  const divisor = BigInt(gpus) * 10n ** BigInt(fraction.length)
  const rounded = String((2n * scaled + divisor) / (2n * divisor)).padStart(DECIMALS + 1, '0')
  return `${rounded.slice(0, -DECIMALS)}.${rounded.slice(-DECIMALS)}`.replace(/\.?0+$/, '')
}
