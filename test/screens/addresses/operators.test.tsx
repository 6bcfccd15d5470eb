import '../light-dom.ts'
import { beforeAll, it } from 'vitest'
import { operatorScreens } from '../fixtures/operator-screens.ts'
import { addWaiting } from '../fixtures/waiting.ts'
import { checkAddresses, withSearches } from './check-addresses.ts'
import { checkNarrowing } from './check-narrowing.ts'

const { db, open } = operatorScreens()
beforeAll(() => addWaiting(db.sql))

it('the items that wait at each of their addresses', async () => {
  const searches = ['provider=seller', 'source=third', 'kind=price', 'resource=risen', 'reason=outlier', 'older=1d']
  await checkAddresses('review-addresses', open, withSearches('/operator/review', [...searches, 'all=true']))
})
it('served prices at each of their addresses', async () => {
  const searches = ['seller&resource=left', 'other&resource=left', 'seller&resource=unknown']
  await checkAddresses(
    'prices-addresses',
    open,
    withSearches(
      '/operator/prices',
      searches.map((search) => `provider=${search}`),
    ),
  )
})
it('sources, accuracy, groups, providers and users at each of their addresses', async () => {
  await checkAddresses(
    'sources-addresses',
    open,
    withSearches('/operator/sources', ['source=list', 'source=third', 'only=problems', 'q=thi']),
  )
  await checkAddresses(
    'accuracy-addresses',
    open,
    withSearches('/operator/accuracy', ['provider=seller', 'provider=other']),
  )
  await checkAddresses(
    'aliases-addresses',
    open,
    withSearches('/operator/aliases', ['tab=proposals', 'q=risen', 'q=nothing']),
  )
  await checkAddresses('providers-addresses', open, withSearches('/operator/providers', ['q=sel', 'q=nothing']))
  await checkAddresses('users-addresses', open, withSearches('/operator/users', ['q=nora', 'q=nothing']))
})

it('what narrows the lists of operators, where everything is narrowed', async () => {
  const [{ id }] = await db.sql<[{ id: string }]>`select account_id as id from account limit 1`
  await checkNarrowing('operators-narrowed', open, [
    '/operator/review?kind=price&provider=seller&source=third&resource=risen&reason=outlier&olderThan=12h&all=true',
    '/operator/sources?source=third&only=problems&q=thi',
    '/operator/aliases?tab=proposals&q=risen',
    `/operator/audit?who=${id}&action=signed_in`,
    '/operator/accuracy?provider=seller',
    '/operator/users?q=nora',
    '/operator/prices?provider=seller&resource=left',
  ])
})
