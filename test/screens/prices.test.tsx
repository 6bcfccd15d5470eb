import './light-dom.ts'
import { beforeAll, expect, it } from 'vitest'
import { checkScreen } from './check-screen.ts'
import { daysAgo as at, operatorScreens } from './fixtures/operator-screens.ts'
import { addSold } from './fixtures/sold.ts'

const { db, open } = operatorScreens()

beforeAll(() => addSold(db.sql))

const asOf = `${at(50).slice(0, 10)}T00:00:00.000Z`
/** The button that shows the instant. */
const shown = `${asOf.slice(0, 10)} 00:00 UTC`

it('the page of a model', async () => {
  await checkScreen('model', open(`/prices/acme/old?asOf=${asOf}`), {
    Export: [['Download CSV'], ['Show the request', 'Copy the command']],
    [shown]: [['Now']],
  })
})

it('the page of a model that several sell, with what is stated of it and its sellers ranked by a workload', async () => {
  await checkScreen('model-sellers', open(`/prices/acme/pair?asOf=${asOf}&tokens=500,0,0,0,0&requests=2000`), {
    Export: [['Download CSV'], ['Show the request', 'Copy the command']],
    [shown]: [['Now']],
  })
})

const of = JSON.stringify(['acme', 'other'].map((provider) => [provider, 'twin']))

it('the page that compares a model at its sellers, with what a workload costs', async () => {
  await checkScreen('comparison', open(`/compare?of=${encodeURIComponent(of)}&asOf=${asOf}`), {
    Export: [['Download CSV'], ['Show the request', 'Copy the command']],
    'Agent with cache': [
      [],
      [{ field: 'Requests', text: '3' }],
      [{ field: 'Requests', text: '' }],
      [{ field: 'Reasoning tokens', text: '1000' }],
    ],
    [shown]: [['Now']],
  })
})

it('a day that is chosen is shown, and its calendar closes', async () => {
  const screen = await open(`/prices?asOf=${asOf}`)()
  await screen.press(shown)
  expect(screen.text()).toContain('(calendar)')
  const chosen = new Date(asOf)
  chosen.setUTCDate(chosen.getUTCDate() + (chosen.getUTCDate() < 15 ? 1 : -1))
  const name = { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  await screen.press(chosen.toLocaleDateString('en-GB', name))
  expect(screen.address()).toContain(`asOf=${chosen.toISOString().slice(0, 10)}T00`)
  expect(screen.text()).not.toContain('(calendar)')
})
