import './light-dom.ts'
import { beforeAll, it } from 'vitest'
import { model, snapshot } from '../prices/support.ts'
import { declareDocument, fetches } from '../terms/ingest/pages.ts'
import { replaceIn, TERMS } from '../terms/texts.ts'
import { checkScreen } from './check-screen.ts'
import { daysAgo, operatorScreens } from './operator-screens.ts'

const { db, open } = operatorScreens()

beforeAll(async () => {
  await snapshot(db.sql, 'list', model('cheaper', 0.000002), { at: daysAgo(30) })
  await snapshot(db.sql, 'list', [...model('cheaper', 0.000002), ...model('new', 0.000003)], { at: daysAgo(25) })
  await snapshot(db.sql, 'list', [...model('cheaper', 0.0000015), ...model('new', 0.000003)], { at: daysAgo(20) })
  const at = fetches(db.sql, await declareDocument(db.sql, 'terms'), 'text/markdown', undefined, daysAgo(17))
  await at(0, TERMS)
  const changed = replaceIn(TERMS, '30 days notice', '14 days notice')
  await at(24, changed)
  await at(48, changed)
})
const EXPORT = { Export: [['Download CSV'], ['Show the request', 'Copy the command']] }

it('what changed', async () => {
  await checkScreen('changes', open('/'), EXPORT)
})
it('all prices', async () => {
  await checkScreen('explorer', open('/prices'), {
    ...EXPORT,
    'Workload: Chat × 1M': [['Chat'], ['Agent with cache'], ['Embeddings']],
    Columns: [['Reset columns']],
  })
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
