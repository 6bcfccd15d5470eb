import '../light-dom.ts'
import { beforeAll, it } from 'vitest'
import { daysAgo, operatorScreens } from '../fixtures/operator-screens.ts'
import { addPublished } from '../fixtures/published.ts'
import { checkAddresses, withSearches } from './check-addresses.ts'
import { checkNarrowing } from './check-narrowing.ts'

const { db, open } = operatorScreens()
beforeAll(() => addPublished(db.sql))

/** Before the last change of a price and of the document. */
const PAST = `asOf=${daysAgo(21).slice(0, 10)}T00:00:00.000Z`
it('changes at each of their addresses', async () => {
  const searches = ['providers=["acme"]', 'types=["tos.changed"]', 'direction=down', 'minSignificance=high', PAST]
  await checkAddresses('changes-addresses', open, withSearches('/', [...searches, 'providers=["other"]&direction=up']))
})

it('prices at each of their addresses', async () => {
  await checkAddresses(
    'explorer-addresses',
    open,
    withSearches('/prices', [
      ...['q=cheap', 'providers=["other"]', 'confirmed=independent', 'context=128000', 'sort=-input', PAST],
      ...['tokens=500,0,0,0,0', 'requests=5', 'service=batch', 'columns=["input"]', 'chosen=["acme/cheaper"]'],
      ...['tab=sellers', 'tab=machines', 'tab=machines&providers=["other"]', 'tab=machines&q=h1'],
    ]),
  )
})

it('what was chosen of prices of the past, and its comparison', async () => {
  const machine = (provider: string) => [provider, 'h100', 'machines', 'gpu_hours', 'eu', '', '[]']
  const chosen = `chosen=${JSON.stringify(['acme\ncheaper', 'acme\nnew'])}`
  await checkAddresses('chosen-addresses', open, [
    `/prices?${chosen}&${PAST}&tokens=500,0,0,0,0&requests=5&service=batch`,
    `/prices?tab=machines&${PAST}`,
  ])
  const of = JSON.stringify([machine('acme'), machine('other')])
  await checkAddresses('machines-addresses', open, [`/compare?of=${of}`, `/compare?of=${of}&${PAST}`])
})
it('documents at each of their addresses', async () => {
  await checkAddresses(
    'documents-addresses',
    open,
    withSearches('/documents', ['provider=example', 'provider=acme', 'q=terms', 'q=nothing', PAST]),
  )
})

it('a document at each of its addresses', async () => {
  const versions = await db.sql<{ id: string }[]>`select version_id as id from document_version order by 1`
  const [from, to] = versions.map(({ id }) => id)
  await checkAddresses(
    'document-addresses',
    open,
    withSearches('/documents/example/terms', [
      `to=${from}&view=text`,
      'view=text',
      `from=${from}&to=${to}`,
      `from=${to}&to=${from}`,
      PAST,
    ]),
  )
})

it('evidence of one price after that of another', async () => {
  const rows = await db.sql<{ hash: string }[]>`
    select current_hash as hash from price_line order by provider, resource, dimension limit 3`
  await checkAddresses(
    'evidence-addresses',
    open,
    rows.map(({ hash }) => `/evidence/${hash}`),
  )
})

it('what narrows changes, prices and documents, where everything is narrowed', async () => {
  const workload = 'tokens=500,0,0,0,0&requests=5&service=batch'
  const models = `columns=["input"]&chosen=${JSON.stringify(['acme\ncheaper'])}&${workload}`
  const versions = await db.sql<{ id: string }[]>`select version_id as id from document_version order by 1`
  await checkNarrowing('readers-narrowed', open, [
    `/?providers=["acme"]&types=["price.changed"]&direction=down&minSignificance=high&${PAST}`,
    `/prices?q=c&providers=["acme"]&confirmed=independent&context=32000&sort=-input&${models}&${PAST}`,
    `/prices?tab=machines&q=h&providers=["acme"]&sort=-hourly&columns=["hourly"]&${PAST}`,
    `/documents?provider=example&q=terms&${PAST}`,
    `/documents/example/terms?from=${versions[0]!.id}&to=${versions[1]!.id}&view=text`,
  ])
})
