import '../light-dom.ts'
import { MantineProvider } from '@mantine/core'
import { fireEvent, waitFor } from '@testing-library/dom'
import type { ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import type { SeriesRow } from '../../../src/web/api/prices.ts'
import StepChart from '../../../src/web/pages/prices/chart/step-chart.tsx'
import AsOfChoice from '../../../src/web/pages/prices/explorer/as-of-choice.tsx'
import { linesOf } from '../../../src/web/pages/prices/table/lines.ts'
import OutcomesChart from '../../../src/web/pages/webhooks/outcomes-chart.tsx'
import { theme } from '../../../src/web/theme.ts'
import { rendered, show, useScreens } from '../screen.tsx'
import { shownText } from '../shown-text.ts'

useScreens()

async function draw(chart: ReactNode): Promise<void> {
  show(<MantineProvider theme={theme}>{chart}</MantineProvider>)
  await waitFor(() => expect(document.querySelector('svg text')).not.toBeNull())
  await rendered()
}
const all = (selector: string) => [...document.querySelectorAll(selector)]
/** A word of a mark is a part of its own. The marks of a vertical axis are written up to it, those of a horizontal one around their place. */
const marks = (anchor: 'end' | 'middle') =>
  all(`.recharts-cartesian-axis-tick-value[text-anchor=${anchor}]`).map(({ textContent }) => textContent)
/** Returns what is shown where the pointer is over the middle of a chart. */
async function atPointer(x: number): Promise<string> {
  const chart = document.querySelector('.recharts-wrapper')!
  fireEvent.mouseEnter(chart, { clientX: x, clientY: 100 })
  fireEvent.mouseMove(chart, { clientX: x, clientY: 100 })
  return waitFor(() => {
    const shown = shownText(document.querySelector('.recharts-tooltip-wrapper')!)
    expect(shown).not.toBe('')
    return shown
  })
}

const day = (n: number): string => `2026-01-${String(n).padStart(2, '0')}T00:00:00.000Z`
const row = (price: string, from: number, more: Partial<SeriesRow> = {}): SeriesRow => ({
  ...{ provider: 'acme', resource: 'gpt', listed: 'gpt', source: 'list', dimension: 'input_tokens' },
  ...{ unit: 'usd_per_token', currency: 'USD', tier: {}, places: 6, per: 'million tokens', price },
  ...{
    publishedAt: day(from),
    recordedAt: day(from).replace('00.000Z', '30.000Z'),
    unpublishedAt: null,
    contentHash: `${from}`,
    reason: null,
  },
  ...{ status: 'auto_approved', effectiveFrom: null, snapshotHash: null, locator: null, contradicted: null },
  ...{ confirmation: null, ...more },
})
/** The first price of this line holds for ten days; the other line begins later and ends. */
const LINES = linesOf([
  row('0.000002', 1, { unpublishedAt: day(11) }),
  row('0.000003', 11),
  row('0.000004', 5, { tier: { service: 'batch' }, status: 'removed', unpublishedAt: day(15) }),
])
const MARKERS = [
  { at: day(2), label: 'was old' },
  { at: day(20), label: 'removed' },
]

it('prices are drawn as steps from zero, in the colours and under the names of their lines', async () => {
  const chart = { lines: LINES, labels: ['Standard', 'batch'], asOf: day(21), height: 200 }
  await draw(<StepChart {...chart} colors={['teal.7', 'indigo.6']} markers={MARKERS} />)
  expect(marks('end')).toEqual(['0', '1.5', '3', '4.5', '6'])
  expect(all('.recharts-label').map((one) => [one.textContent, one.getAttribute('text-anchor')])).toEqual([
    ['was old', 'start'],
    ['removed', 'end'],
  ])
  const curves = all('.recharts-line-curve').map((one) => ({
    color: one.getAttribute('stroke'),
    points: one
      .getAttribute('d')!
      .match(/[\d.]+,[\d.]+/g)!
      .map((point) => point.split(',').map(Number)),
  }))
  expect(curves.map(({ color }) => color)).toEqual(['var(--mantine-color-teal-7)', 'var(--mantine-color-indigo-6)'])
  const [standard, batch] = curves.map(({ points }) => points) as [number[][], number[][]]
  // Twenty days are as wide as the chart, of which the first price holds for ten. Six USD are as high as it.
  const [left, right] = [standard[0]![0]!, standard.at(-1)![0]!]
  const at = (n: number) => left + ((right - left) * (n - 1)) / 20
  const zero = standard[0]![1]! + 2 * (standard[0]![1]! - standard.at(-1)![1]!)
  const high = (price: number) => zero - price * (standard[0]![1]! - standard.at(-1)![1]!)
  const rounded = (points: number[][]) => points.map((point) => point.map(Math.round))
  expect(rounded(standard)).toEqual(
    expect.arrayContaining(
      rounded([
        [at(11), high(2)],
        [at(11), high(3)],
      ]),
    ),
  )
  expect(rounded([batch[0]!, batch.at(-1)!])).toEqual(
    rounded([
      [at(5), high(4)],
      [at(15), high(4)],
    ]),
  )
})

it('the rows of an instant are named, the highest price first', async () => {
  const chart = { lines: LINES, labels: ['Standard', 'batch'], asOf: day(21), height: 200 }
  await draw(<StepChart {...chart} colors={['teal.7', 'indigo.6']} />)
  expect((await atPointer(700)).split('\n')).toEqual([
    '2026-01-11 00:00 UTC',
    'batch',
    '4.00 USD / million tokens',
    'list · removed · recorded 2026-01-05 00:00:30 UTC',
    'Standard',
    '3.00 USD / million tokens',
    'list · served · recorded 2026-01-11 00:00:30 UTC',
  ])
  await draw(<StepChart {...chart} colors={['teal.7', 'indigo.6']} />)
  expect((await atPointer(1_340)).split('\n').slice(-2)).toEqual(['batch', 'not listed'])
})

it('charts beside each other begin at the same instant', async () => {
  const chart = { lines: LINES.slice(1), labels: ['batch'], asOf: day(21), height: 200, colors: ['teal.7'] }
  const start = () => all('.recharts-line-curve').map((one) => /^M([\d.]+)/.exec(one.getAttribute('d')!)![1])[0]
  await draw(<StepChart {...chart} />)
  const alone = Number(start())
  await draw(<StepChart {...chart} from={Date.parse(day(1))} />)
  expect(Number(start())).toBeGreaterThan(alone)
})

const steps = (times: string[]) =>
  times.map((at, n) => ({ at, succeeded: n === 0 ? 4 : 1, failed: 1, retrying: 2, notSent: n === 0 ? 0 : 3 }))

it.each([
  [
    'hours by their time',
    Array.from({ length: 24 }, (_, n) => `2026-01-01T${String(n).padStart(2, '0')}:00:00.000Z`),
    ['00:00', '23:00'],
  ],
  ['days by their date', Array.from({ length: 30 }, (_, n) => day(n + 1)), ['1Jan', '30Jan']],
] as const)('outcomes of deliveries name %s, the first and the last', async (_name, times, named) => {
  await draw(<OutcomesChart label="Chart" height={90} steps={steps([...times])} />)
  expect(marks('middle')).toEqual(named)
})

it('outcomes of deliveries are told apart, and counted where the pointer is', async () => {
  await draw(<OutcomesChart label="Chart" height={90} steps={steps([day(1), day(2), day(3)])} />)
  const fills = all('.recharts-bar').map((bar) => bar.querySelector('path')?.getAttribute('fill'))
  expect(fills).toEqual(['teal-6', 'orange-5', 'red-7', 'gray-5'].map((color) => `var(--mantine-color-${color})`))
  expect((await atPointer(100)).split('\n')).toEqual([
    '2026-01-01 00:00 UTC',
    ...['Succeeded', '4', 'Retrying', '2', 'Failed', '1', 'Not sent', '0'],
  ])
})

it('an instant of the past is the beginning of a day, of the calendar or where the slider rests', async () => {
  const calls: unknown[] = []
  const [from, to] = [Date.parse('2026-01-01T10:00:00Z'), Date.parse('2026-02-10T12:00:00Z')]
  const choice = { from, to, asOf: undefined, onShow: (at: string) => calls.push(['shows', at]) }
  show(
    <MantineProvider theme={theme} env="test">
      <AsOfChoice {...choice} onChoose={(at) => calls.push(['chooses', at])} />
    </MantineProvider>,
  )
  await rendered()
  const slider = () => document.querySelector('[role="slider"]')!
  expect([slider().getAttribute('aria-valuenow'), slider().getAttribute('aria-valuemax')]).toEqual(['40', '40'])
  for (const _ of [1, 2]) {
    fireEvent.keyDown(slider(), { key: 'ArrowLeft', code: 'ArrowLeft' })
    await rendered()
  }
  // A slow machine may rest between the two keys.
  await waitFor(() => expect(calls.at(-1)).toEqual(['shows', '2026-02-08T00:00:00Z']))
  const day = [...document.querySelectorAll('button')].find((one) => one.textContent === '3')!
  fireEvent.click(day)
  await rendered()
  expect(calls.at(-1)).toEqual(['chooses', '2026-02-03T00:00:00Z'])
})

it.each(['03:00', '20:56'])('the days beside the one that is shown, of a history from %s on', async (time) => {
  const shownFrom = async (key: string, asOf?: string) => {
    const onShow = vi.fn()
    show(
      <MantineProvider env="test">
        <AsOfChoice
          from={Date.parse(`2026-07-22T${time}:00Z`)}
          to={Date.parse('2026-08-10T10:00:00Z')}
          asOf={asOf}
          onShow={onShow}
          onChoose={() => {}}
        />
      </MantineProvider>,
    )
    await rendered()
    fireEvent.keyDown(document.querySelector('[role="slider"]')!, { key, code: key })
    await waitFor(() => expect(onShow).toHaveBeenCalled())
    return onShow.mock.calls.flat()
  }
  expect(await shownFrom('ArrowLeft', '2026-08-01T00:00:00Z')).toEqual(['2026-07-31T00:00:00Z'])
  expect(await shownFrom('ArrowRight', '2026-08-01T00:00:00Z')).toEqual(['2026-08-02T00:00:00Z'])
  expect(await shownFrom('ArrowLeft', '2026-08-01T15:00:00Z')).toEqual(['2026-07-31T00:00:00Z'])
  expect(await shownFrom('ArrowLeft')).toEqual(['2026-08-09T00:00:00Z'])
  expect(await shownFrom('Home')).toEqual(['2026-07-23T00:00:00Z'])
  expect(await shownFrom('ArrowRight', '2026-01-01T00:00:00Z')).toEqual(['2026-07-24T00:00:00Z'])
})
