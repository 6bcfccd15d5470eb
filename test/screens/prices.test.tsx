import './light-dom.ts'
import { afterAll, beforeAll, it } from 'vitest'
import type { Api } from '../../src/api/route.ts'
import { DAY, instantOf } from '../../src/lib/instant.ts'
import { addOperator } from '../support/accounts.ts'
import { appServer } from '../support/app.ts'
import { testDatabase } from '../support/database.ts'
import { publish, seedProviders } from '../support/prices.ts'
import { checkScreen } from './check-screen.ts'
import { openScreen, useScreens } from './screen.tsx'

const db = testDatabase()
useScreens()
let server: Api
let session: string
const at = (daysAgo: number) => instantOf(Date.now() - daysAgo * DAY)

beforeAll(async () => {
  server = await appServer(db.sql)
  session = (await addOperator(db.sql)).sessionToken
  await seedProviders(db.sql, at(200), [{ provider: 'acme' }, { provider: 'other' }])
  await publish(db.sql, [{ provider: 'acme', resource: 'old', price: '0.000002' }], at(190))
  await publish(db.sql, [{ provider: 'acme', resource: 'old', price: '0.0000025' }], at(100))
})
afterAll(() => server.close())

const asOf = `${at(50).slice(0, 10)}T00:00:00.000Z`
/** The button that shows the instant. */
const shown = `${asOf.slice(0, 10)} 00:00 UTC`
const open = (path: string) => () => openScreen({ server, session }, path)

it('the page of a model', async () => {
  await checkScreen('model', open(`/prices/acme/old?asOf=${asOf}`), {
    Export: [['Download CSV'], ['Show the request', 'Copy the command']],
    [shown]: [['Now']],
  })
})
