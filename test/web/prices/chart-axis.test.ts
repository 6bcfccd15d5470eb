import { describe, expect, it } from 'vitest'
import { priceTicks, timeAxis } from '../../../src/web/pages/prices/chart/chart-axis.ts'

const written = (first: string, last: string): string[] => {
  const { ticks, format } = timeAxis(Date.parse(first), Date.parse(last))
  return ticks.map((tick) => format.format(tick))
}

describe('the axes of a chart', () => {
  it('write round months, days or times, however long the chart is', () => {
    expect(written('2025-10-19T10:03:35Z', '2026-11-22T05:33:00Z')).toEqual([
      'Jan 2026',
      'Apr 2026',
      'Jul 2026',
      'Oct 2026',
    ])
    expect(written('2026-11-10T05:00:00Z', '2026-11-22T05:00:00Z')).toEqual([
      'Nov 11',
      'Nov 13',
      'Nov 15',
      'Nov 17',
      'Nov 19',
      'Nov 21',
    ])
    expect(written('2026-11-10T05:00:00Z', '2026-11-15T05:00:00Z')).toEqual([
      'Nov 11',
      'Nov 12',
      'Nov 13',
      'Nov 14',
      'Nov 15',
    ])
    // More than sixty years: no step is small enough, and the largest has to do.
    expect(written('1931-02-01T00:00:00Z', '2003-03-01T00:00:00Z')).toEqual(
      ['1940', '1950', '1960', '1970', '1980', '1990', '2000'].map((year) => `Jan ${year}`),
    )
    expect(written('2026-11-21T08:08:00Z', '2026-11-22T05:33:00Z')).toEqual(['12:00', '18:00', '00:00'])
    expect(written('2026-11-21T10:01:00Z', '2026-11-21T10:11:00Z')).toEqual(['10:05', '10:10'])
    expect(written('2026-11-21T10:01:00Z', '2026-11-21T10:06:00Z')).toEqual(['10:01', '10:06'])
  })

  it('write equal steps of a price from zero to above the highest', () => {
    expect(priceTicks(8)).toEqual([0, 2, 4, 6, 8].map((mark) => (mark * 10) / 8))
    expect(priceTicks(2.5)).toEqual([0, 0.8, 1.6, 2.4, 3.2])
    expect(priceTicks(0)).toEqual([0, 0.25, 0.5, 0.75, 1])
  })
})
