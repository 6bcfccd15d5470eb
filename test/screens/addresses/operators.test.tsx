import '../light-dom.ts'
import { beforeAll, it } from 'vitest'
import { operatorScreens } from '../fixtures/operator-screens.ts'
import { addWaiting } from '../fixtures/waiting.ts'
import { checkAddresses } from './check-addresses.ts'

const { db, open } = operatorScreens()
beforeAll(() => addWaiting(db.sql))

const at = (page: string, searches: string[]) => [page, ...searches.map((search) => `${page}?${search}`)]

it('the items that wait at each of their addresses', async () => {
  const searches = ['provider=seller', 'source=third', 'kind=price', 'resource=risen', 'reason=outlier', 'older=1d']
  await checkAddresses('review-addresses', open, at('/operator/review', [...searches, 'all=true']))
})
it('served prices at each of their addresses', async () => {
  const searches = ['seller&resource=left', 'other&resource=left', 'seller&resource=unknown']
  await checkAddresses(
    'prices-addresses',
    open,
    at(
      '/operator/prices',
      searches.map((search) => `provider=${search}`),
    ),
  )
})
it('sources, accuracy, groups, providers and users at each of their addresses', async () => {
  await checkAddresses(
    'sources-addresses',
    open,
    at('/operator/sources', ['source=list', 'source=third', 'only=problems', 'q=thi']),
  )
  await checkAddresses('accuracy-addresses', open, at('/operator/accuracy', ['provider=seller', 'provider=other']))
  await checkAddresses('aliases-addresses', open, at('/operator/aliases', ['tab=proposals', 'q=risen', 'q=nothing']))
  await checkAddresses('providers-addresses', open, at('/operator/providers', ['q=sel', 'q=nothing']))
  await checkAddresses('users-addresses', open, at('/operator/users', ['q=nora', 'q=nothing']))
})
