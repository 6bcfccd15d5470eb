import { createApiKey } from '../accounts/create-api-key.ts'
import { createWorkspace } from '../accounts/create-workspace.ts'
import { readSources } from '../collectors/sources-file.ts'
import type { Context } from '../context.ts'
import { OperatorError } from '../lib/errors.ts'
import type { Instant } from '../lib/instant.ts'
import { keyId } from '../lib/seal.ts'
import { type Imported, importHistory } from './import-history.ts'
import { alone, firstWorkspace, secretsOfOtherKeys } from './installation-store.ts'
import type { Progress } from './process/progress.ts'

const FIRST_WORKSPACE = 'First workspace'
const FIRST_KEY = 'First key'

/**
 * Makes an empty database useful before the API listens: history, one workspace, one API key, whose full value is
 * answered this once. Does nothing to a database in use.
 * @throws OperatorError when the secrets in it were sealed with another key.
 */
export async function readyStore(
  { sql, secretKey, config }: Context,
  options: { progress: Progress; importUntil?: Instant; withKey: boolean },
): Promise<{ imported: Imported; newKey?: string }> {
  const foreign = await secretsOfOtherKeys(sql, keyId(secretKey))
  if (foreign > 0) {
    throw new OperatorError(
      `${foreign} webhook secrets in this database were sealed with another key. Set PRICETAPE_SECRET_KEY to the one it was used with (in secrets.json of that data folder).`,
    )
  }
  const sources = readSources(config.sourcesFile).enabled
  const imported = await importHistory(sql, sources, { progress: options.progress, until: options.importUntil })
  if (!options.withKey) return { imported }
  const newKey = await alone(sql, async () => {
    if (await firstWorkspace(sql)) return undefined
    const { workspaceId } = await createWorkspace(sql, { name: FIRST_WORKSPACE })
    const { key } = await createApiKey(sql, { workspaceId, name: FIRST_KEY })
    return key
  })
  return { imported, newKey }
}
