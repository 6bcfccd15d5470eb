import './light-dom.ts'
import { beforeAll, it, onTestFinished } from 'vitest'
import { checkScreen, compareWithGolden, walk } from './check-screen.ts'
import { operatorScreens } from './fixtures/operator-screens.ts'
import { addPublished } from './fixtures/published.ts'

const { db, open } = operatorScreens()

beforeAll(() => addPublished(db.sql))

const EXPORT = { Export: [['Download CSV'], ['Show the request', 'Copy the command']] }

it('what changed', async () => {
  await checkScreen('changes', open('/'), EXPORT)
})
it('the address of a feed, which has the filters of its page', async () => {
  const filters = {
    types: '["price.changed","tos.changed"]',
    providers: 'acme',
    direction: 'up',
    minSignificance: 'medium',
    asOf: 'now',
    workspace: 'w',
  }
  history.replaceState(null, '', `/?${new URLSearchParams(filters)}`)
  onTestFinished(() => history.replaceState(null, '', '/'))
  await db.sql`delete from feed_address`
  const steps = ['Create feed URL', 'Rotate URL', 'Rotate', 'Delete feed', 'Delete feed']
  await compareWithGolden('feed', (await walk(await open('/')(), steps)).slice(1))
})
it('all prices', async () => {
  await checkScreen('explorer', open('/prices'), {
    ...EXPORT,
    'Workload: Chat × 1M': [['Chat'], ['Agent with cache'], ['Embeddings']],
    Columns: [['Reset columns']],
  })
})
it('all machines', async () => {
  await compareWithGolden('machines', await walk(await open('/prices?tab=machines')(), ['Sellers of h100']))
})
it('what is found by its name, with the keys of a palette', async () => {
  const parts = await walk(await open('/documents')(), [
    { key: 'k', ctrlKey: true },
    { field: 'Find', text: 'cheap', until: 'cheaper' },
    { field: 'Find', text: 'failed on', until: '[failed once' },
    { field: 'Find', text: 'nothing that there is', until: 'No results' },
    { field: 'Find', text: 'h100', until: '[h100' },
    { field: 'Find', text: 'terms', until: '[Terms of Service' },
    { key: 'Enter' },
  ])
  await compareWithGolden('palette', parts)
})
it('the evidence of a price', async () => {
  const [row] = await db.sql<{ hash: string }[]>`
    select current_hash as hash from price_line where resource = 'cheaper' and dimension = 'input_tokens'`
  await checkScreen('evidence', open(`/evidence/${row!.hash}`), {})
})
it('all documents', async () => {
  await checkScreen('documents', open('/documents'), EXPORT)
})
it('a document that changed', async () => {
  await checkScreen('document', open('/documents/example/terms'), EXPORT)
})
