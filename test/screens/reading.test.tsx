import './light-dom.ts'
import { beforeAll, it, onTestFinished } from 'vitest'
import { model, observed } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { addWebhook } from '../support/webhooks/subscriptions.ts'
import { declareDocument, fetches } from '../terms/ingest/pages.ts'
import { replaceIn, TERMS } from '../terms/texts.ts'
import { checkScreen, compareWithGolden, walk } from './check-screen.ts'
import { daysAgo, operatorScreens } from './operator-screens.ts'

const { db, open } = operatorScreens()

beforeAll(async () => {
  await snapshot(db.sql, 'list', model('cheaper', 0.000002), { at: daysAgo(30) })
  await snapshot(db.sql, 'list', [...model('cheaper', 0.000002), ...model('new', 0.000003)], { at: daysAgo(25) })
  await snapshot(db.sql, 'list', [...model('cheaper', 0.0000015), ...model('new', 0.000003)], { at: daysAgo(20) })
  const hour = (region: string, price: string, more: Partial<Parameters<typeof observed>[3]> = {}) =>
    observed('h100', 'gpu_hours', price, { unit: 'usd_per_hour', pricingTier: { region }, ...more })
  const spot = { pricingTier: { region: 'eu', service: 'spot' } }
  await snapshot(
    db.sql,
    'machines',
    [hour('eu', '2.5'), hour('us', '2.25'), hour('eu', '1.1', spot), hour('eu', '3', { provider: 'other' })],
    { at: daysAgo(19) },
  )
  const at = fetches(db.sql, await declareDocument(db.sql, 'terms'), 'text/markdown', undefined, daysAgo(17))
  await at(0, TERMS)
  const changed = replaceIn(TERMS, '30 days notice', '14 days notice')
  await at(24, changed)
  await at(48, changed)
  const [workspace] = await db.sql<
    { id: string }[]
  >`select workspace_id as id from workspace order by created_at limit 1`
  for (const [name, columns] of Object.entries(HOOKS)) {
    const id = await addWebhook(db.sql, workspace!.id, { name })
    if (columns) await db.sql`update webhook set ${db.sql(columns)} where webhook_id = ${id}`
  }
})
const HOOKS: Record<string, object | undefined> = {
  works: undefined,
  'failed once': { failures_in_row: 1, first_failure_at: '2026-01-01' },
  fails: { failures_in_row: 3, first_failure_at: '2026-01-01' },
  paused: { state: 'paused', paused_at: '2026-01-01', paused_reason: 'Paused by olga@example.com.' },
}
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
