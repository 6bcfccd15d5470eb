import './light-dom.ts'
import { beforeAll, it } from 'vitest'
import { saveGroup } from '../../src/aliases/save-group.ts'
import { publishing } from '../../src/catalog/clock/clock-store.ts'
import { type PlacedFact, replaceFacts } from '../../src/catalog/facts/fact-store.ts'
import { publish, seedProviders } from '../support/prices.ts'
import { checkScreen } from './check-screen.ts'
import { daysAgo as at, operatorScreens } from './operator-screens.ts'

const { db, open } = operatorScreens()

beforeAll(async () => {
  await seedProviders(db.sql, at(200), [{ provider: 'acme' }, { provider: 'other' }])
  await publish(db.sql, [{ provider: 'acme', resource: 'old', price: '0.000002' }], at(190))
  await publish(db.sql, [{ provider: 'acme', resource: 'old', price: '0.0000025' }], at(100))
  let daysAgo = 90
  const sold = { acme: ['0.000002', '0.00001'], other: ['0.0000015', '0.00001'] }
  for (const [provider, [input, output]] of Object.entries(sold)) {
    const of = { provider, resource: 'twin' }
    await publish(
      db.sql,
      [
        { ...of, price: input! },
        { ...of, price: output!, dimension: 'output_tokens' },
      ],
      at(daysAgo--),
    )
  }
  const cached = { dimension: 'cache_read_tokens', price: '0.0000002' }
  await publish(db.sql, [{ provider: 'acme', resource: 'twin', ...cached }], at(85))
  await publish(db.sql, [{ provider: 'acme', resource: 'twin', price: '0.000001' }], at(80))
  const pair = (provider: string, price: string) => [{ provider, resource: 'pair', price }]
  await publish(db.sql, pair('acme', '0.000001'), at(79))
  await publish(db.sql, pair('other', '0.0000015'), at(78))
  const stated = { provider: 'acme', resource: 'pair', rank: 2, position: null }
  const facts: PlacedFact[] = [
    { ...stated, fact: 'context', value: '200000' },
    { ...stated, fact: 'released', value: '2025-08' },
  ]
  await publishing(db.sql, (tx, stamp) => replaceFacts(tx, 'seed', stamp.at, facts), at(77))
  const members = ['acme', 'other'].map((provider) => ({ provider, resource: 'pair' }))
  await saveGroup(db.sql, { name: 'pairs', members, actor: 'ada', at: at(40) })
  // Their day would be another one tomorrow.
  await db.sql`delete from event`
})

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
    'Agent with cache': [[], [{ field: 'Requests', text: '3' }], [{ field: 'Reasoning tokens', text: '1000' }]],
    [shown]: [['Now']],
  })
})
