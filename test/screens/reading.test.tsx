import './light-dom.ts'
import { afterAll, beforeAll, it } from 'vitest'
import type { Api } from '../../src/api/route.ts'
import { DAY, instantOf } from '../../src/lib/instant.ts'
import { model, snapshot } from '../prices/support.ts'
import { addOperator } from '../support/accounts.ts'
import { appServer } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { declareDocument, fetches } from '../terms/ingest/pages.ts'
import { replaceIn, TERMS } from '../terms/texts.ts'
import { checkScreen } from './check-screen.ts'
import { openScreen, useScreens } from './screen.tsx'

const db = testDatabase()
useScreens()
let server: Api
let session: string
const daysAgo = (n: number) => instantOf(Date.now() - n * DAY)

beforeAll(async () => {
  server = await appServer(db.sql)
  session = (await addOperator(db.sql)).sessionToken
  await snapshot(db.sql, 'list', model('cheaper', 0.000002), { at: daysAgo(30) })
  await snapshot(db.sql, 'list', [...model('cheaper', 0.000002), ...model('new', 0.000003)], { at: daysAgo(25) })
  await snapshot(db.sql, 'list', [...model('cheaper', 0.0000015), ...model('new', 0.000003)], { at: daysAgo(20) })
  const at = fetches(db.sql, await declareDocument(db.sql, 'terms'), 'text/markdown', undefined, daysAgo(17))
  await at(0, TERMS)
  const changed = replaceIn(TERMS, '30 days notice', '14 days notice')
  await at(6, changed)
  await at(31, changed)
})
afterAll(() => server.close())
const EXPORT = { Export: [['Download CSV'], ['Show the request', 'Copy the command']] }
const open = (path: string) => () => openScreen({ server, session }, path)

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
