import { newestKeyEnd } from '../accounts/keys/api-key-store.ts'
import { createApiKey } from '../accounts/keys/create-api-key.ts'
import { createWorkspace } from '../accounts/workspaces/create-workspace.ts'
import { firstWorkspace } from '../accounts/workspaces/workspace-store.ts'
import { createFirstGroups } from '../aliases/create-first-groups.ts'
import { PermanentError } from '../lib/errors.ts'
import type { Instant } from '../lib/instant.ts'
import { withAdvisoryLock } from '../lib/postgres/database.ts'
import { migrate } from '../lib/postgres/migrate.ts'
import type { Progress } from '../lib/process/progress.ts'
import { keyId } from '../lib/seal.ts'
import type { Sql } from '../lib/sql.ts'
import { exampleChange, exampleOffer, type MakersOffer, type PriceChange } from '../prices/store/example-store.ts'
import { type PriceSummary, priceSummary } from '../prices/store/summary-store.ts'
import { countWebhooks, type WebhookCounts } from '../webhooks/manage/operator-store.ts'
import { countSecretsOfOtherKeys } from '../webhooks/subscriptions/secret-store.ts'
import { FIRST_START_LOCK } from './first-start-lock.ts'
import type { ImportCounts } from './import-history.ts'

const FIRST_WORKSPACE = 'First workspace'
const FIRST_KEY = 'First key'
const NOTHING_IMPORTED: ImportCounts = { snapshots: 0, rows: 0, seconds: 0 }

export type FirstStartOptions = {
  secretKey: Uint8Array
  sourcesFile?: string
  progress: Pick<Progress, 'say'>
  importUntil?: Instant
}

/** What a first start did and found, for the start screen. */
export type FirstStartResult = PriceSummary &
  WebhookCounts & {
    imported: ImportCounts
    /** The token of the link that creates the first account, while there is none and a person starts us. */
    firstAccountToken?: string
    /** The full value of the key made on a first start. */
    newKey?: string
    /** What a first start shows of the history. */
    change?: PriceChange
    offer?: MakersOffer
    /** The visible end of the newest key. */
    keyEnd?: string
  }

/**
 * Makes a database useful before the API answers: schema, history, alias groups, one workspace, one API key, whose full
 * value is returned this once. What was ended half-way goes on: the workspace is made last. A database in use only gets the migrations it lacks.
 * @throws PermanentError when the secrets in it were sealed with another key.
 */
export async function prepareFirstStart(sql: Sql, options: FirstStartOptions): Promise<FirstStartResult> {
  await migrate(sql)
  await checkSecretKey(sql, options.secretKey)
  const imported = (await firstWorkspace(sql)) ? NOTHING_IMPORTED : await importBundled(sql, options)
  const newKey = await withAdvisoryLock(sql, FIRST_START_LOCK, async () => {
    if (await firstWorkspace(sql)) return undefined
    const groups = await createFirstGroups(sql)
    if (groups > 0) options.progress.say(`  ${groups} alias groups created: one model under its providers’ names`)
    const { workspaceId } = await createWorkspace(sql, { name: FIRST_WORKSPACE })
    const { key } = await createApiKey(sql, { workspaceId, name: FIRST_KEY })
    return key
  })
  const keyEnd = await newestKeyEnd(sql)
  const examples = newKey === undefined ? {} : { change: await exampleChange(sql), offer: await exampleOffer(sql) }
  return { imported, newKey, keyEnd, ...examples, ...(await priceSummary(sql)), ...(await countWebhooks(sql)) }
}

/** Loaded when it is needed: most starts find a database in use. */
async function importBundled(
  sql: Sql,
  { sourcesFile, progress, importUntil }: FirstStartOptions,
): Promise<ImportCounts> {
  const [{ readSources }, { importHistory }] = await Promise.all([
    import('../collectors/sources-file.ts'),
    import('./import-history.ts'),
  ])
  return importHistory(sql, readSources(sourcesFile).enabled, { progress, until: importUntil })
}

/** @throws PermanentError when the secrets in the database were sealed with another key. */
export async function checkSecretKey(sql: Sql, secretKey: Uint8Array): Promise<void> {
  const foreign = await countSecretsOfOtherKeys(sql, keyId(secretKey))
  if (foreign === 0) return
  const secrets =
    foreign === 1 ? '1 webhook secret in this database was' : `${foreign} webhook secrets in this database were`
  throw new PermanentError(
    `${secrets} sealed with another key. Set PRICETAPE_SECRET_KEY to the key it was used with (secretKey in secrets.json of that data folder).`,
  )
}
