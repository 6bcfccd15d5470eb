import { expect, it } from 'vitest'
import { percentOf } from '../../../src/lib/text/percent.ts'

const all = (changes: [before: string, after: string, text: string | undefined][]) => {
  for (const [before, after, text] of changes)
    expect([before, after, percentOf(before, after)]).toEqual([before, after, text])
}

it('shows a change of price in per cent, in as many digits as people see', () => {
  all([
    ['1', '1.2', '+20%'],
    ['1', '0.8', '−20%'],
    ['10', '10.95', '+9.5%'],
    ['1', '1.1', '+10%'],
    ['2', '1.99', '−0.5%'],
    ['100', '105', '+5%'],
    ['1000', '1002', '+0.2%'],
    ['0.002', '2', '+99,900%'],
    ['1', '1000000', '+99,999,900%'],
    ['3', '0', '−100%'],
  ])
})

it('never shows a price that is left as gone, however little it is', () => {
  all([
    ['1', '0.01234', '−99%'],
    ['1', '0.01', '−99%'],
    ['1', '0.0051', '−99.49%'],
    ['1', '0.005', '−99.5%'],
    ['1', '0.001', '−99.9%'],
    ['0.002', '0.000002', '−99.9%'],
    ['0.1', '0.000001', '−99.999%'],
    ['1', '0.0000001', '−99.999%'],
    ['1', '1.995', '+100%'],
    ['1', '2', '+100%'],
  ])
})

it('shows a tenth of a per cent as such, and only less than that as less', () => {
  all([
    ['1000', '1001', '+0.1%'],
    ['1000', '999', '−0.1%'],
    ['0.000001', '0.000001001', '+0.1%'],
    ['10000', '10009', '+<0.1%'],
    ['10000', '9991', '−<0.1%'],
    ['1', '1.0000000000000000000001', '+<0.1%'],
  ])
})

it('rounds half a digit up, exactly as the decimals say', () => {
  all([
    ['2000', '2023', '+1.2%'],
    ['2000', '1977', '−1.2%'],
    ['2000', '2021', '+1.1%'],
    ['1', '1.0994', '+9.9%'],
    ['1', '1.0995', '+10%'],
    ['1', '1.1', '+10%'],
    ['1', '1.125', '+13%'],
    ['1', '1.1249', '+12%'],
  ])
})

it('shows nothing where there is no proportion to a free price, or the price is the same', () => {
  all([
    ['0', '1', undefined],
    ['0', '0', undefined],
    ['1', '1', undefined],
    ['0.5', '0.50', undefined],
  ])
})
