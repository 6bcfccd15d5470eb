import '../light-dom.ts'
import { beforeAll, it } from 'vitest'
import { daysAgo, operatorScreens } from '../fixtures/operator-screens.ts'
import { addSold } from '../fixtures/sold.ts'
import { checkAddresses, withSearches } from './check-addresses.ts'
import { checkNarrowing } from './check-narrowing.ts'

const { db, open } = operatorScreens()
beforeAll(() => addSold(db.sql))

/** Before the last change of a price. */
const PAST = `asOf=${daysAgo(82).slice(0, 10)}T00:00:00.000Z`
it('a model at each of its addresses, and another', async () => {
  const searches = [PAST, 'dimension=output_tokens', 'tokens=500,0,0,0,0&requests=5', 'service=batch']
  const others = [
    '/prices/acme/old',
    '/prices/other/twin',
    '/prices/acme/pair',
    '/prices/acme/unknown',
    `/prices/acme/unknown?${PAST}`,
  ]
  await checkAddresses('model-addresses', open, [...withSearches('/prices/acme/twin', searches), ...others])
})

it('a comparison at each of its addresses, and another', async () => {
  const of = (name: string) => `of=${JSON.stringify(['acme', 'other'].map((seller) => [seller, name]))}`
  const searches = ['', `&${PAST}`, '&dimension=output_tokens', '&tokens=500,0,0,0,0&requests=5']
  const addresses = searches.map((search) => `/compare?${of('twin')}${search}`)
  await checkAddresses('comparison-addresses', open, [...addresses, `/compare?${of('pair')}`])
})

it('what is chosen of a model and of a comparison, where everything is chosen', async () => {
  const chosen = `dimension=output_tokens&tokens=500,0,0,0,0&requests=5&service=batch&asOf=${daysAgo(50).slice(0, 10)}T00:00:00.000Z`
  const of = JSON.stringify(['acme', 'other'].map((seller) => [seller, 'twin']))
  await checkNarrowing('models-narrowed', open, [`/prices/acme/twin?${chosen}`, `/compare?of=${of}&${chosen}`])
})
