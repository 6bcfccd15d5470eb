import '../light-dom.ts'
import { MantineProvider } from '@mantine/core'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Moment } from '../../../src/web/components/values/moment.tsx'
import { Countdown } from '../../../src/web/pages/delivery/countdown.tsx'
import { theme } from '../../../src/web/theme.ts'
import { rendered, show, useScreens } from '../screen.tsx'
import { shownText } from '../shown-text.ts'

useScreens()

const NOW = Date.parse('2026-11-23T12:12:08.000Z')
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: NOW }))
afterEach(() => void vi.useRealTimers())

const shown = (): string => shownText(document.body.lastElementChild!)
async function textOf(part: ReactNode): Promise<string> {
  show(
    <MantineProvider theme={theme} env="test">
      <p>{part}</p>
    </MantineProvider>,
  )
  await rendered()
  return shown()
}
const fromNow = (seconds: number): string => new Date(NOW + seconds * 1_000).toISOString()

describe('an instant, as pages tell it', () => {
  it.each([
    [0, 'less than a minute ago'],
    [-59, 'less than a minute ago'],
    [1, 'in less than a minute'],
    [-60, '1 minute ago'],
    [-150, '2 minutes ago'],
    [150, 'in 3 minutes'],
    [-3_599, '60 minutes ago'],
    [-3_600, '1 hour ago'],
    [7_200, 'in 2 hours'],
    [-86_399, '24 hours ago'],
    [-86_400, '1 day ago'],
    [-2_591_999, '30 days ago'],
    [-2_592_000, '1 month ago'],
    [-31_536_000, '1 year ago'],
    [2 * 31_536_000, 'in 2 years'],
  ])('%i seconds from now is %s, with the instant beside it', async (seconds, relative) => {
    const exact = `${fromNow(seconds).slice(0, 19).replace('T', ' ')} UTC`
    expect(await textOf(<Moment at={fromNow(seconds)} />)).toBe(`${relative}, ${exact}`)
  })

  it.each([
    [-59, 'for less than a minute'],
    [-60, 'for 1 minute'],
    [-7_200, 'for 2 hours'],
    [-4 * 2_592_000, 'for 4 months'],
  ])('%i seconds from now has lasted %s', async (seconds, lasted) => {
    expect(await textOf(<Moment at={fromNow(seconds)} lasting />)).toMatch(new RegExp(`^${lasted}, 2026-`))
  })

  it('is exact, or the time of its day, where a page has the rest elsewhere', async () => {
    const at = '2026-11-23T10:11:12.345Z'
    expect(await textOf(<Moment at={at} exact />)).toBe('2026-11-23 10:11:12 UTC, 2 hours ago')
    expect(await textOf(<Moment at={at} isTimeOfDay />)).toBe('10:11:12, 2026-11-23 10:11:12 UTC')
  })

  it('goes on while its page is open', async () => {
    expect(await textOf(<Moment at={fromNow(0)} />)).toMatch(/^less than a minute ago/)
    vi.advanceTimersByTime(90_000)
    await rendered()
    expect(shown()).toMatch(/^1 minute ago/)
  })
})

describe('the time that is left until a delivery run', () => {
  it.each([
    [fromNow(-600), '12:15:00 UTC', '2:52 min'],
    ['2026-11-23T12:15:00.000Z', '12:15:00 UTC', '2:52 min'],
    ['2026-11-23T12:15:00.001Z', '12:20:00 UTC', '7:52 min'],
    ['2026-11-23T13:07:00.000Z', '13:10:00 UTC', '57:52 min'],
    ['2026-11-23T13:12:00.000Z', '13:15:00 UTC', '1 h 2 min'],
    ['2026-11-24T14:57:00.000Z', '15:00:00 UTC', '26 h 47 min'],
  ])('for what is due at %s ends at %s, in %s', async (due, run, left) => {
    const text = await textOf(<Countdown to={due} />)
    expect(text).toMatch(new RegExp(`^in the delivery run at 2026-11-2\\d ${run}, .*, in ${left}$`))
  })

  it('becomes less by the second, and begins again with the next run', async () => {
    expect(await textOf(<Countdown to={fromNow(-600)} />)).toMatch(/in 2:52 min$/)
    vi.advanceTimersByTime(43_000)
    await rendered()
    expect(shown()).toMatch(/in 2:09 min$/)
    vi.advanceTimersByTime(130_000)
    await rendered()
    expect(shown()).toMatch(/12:20:00 UTC.*in 4:59 min$/)
  })
})
