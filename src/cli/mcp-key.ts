import { readFile, writeFile } from 'node:fs/promises'
import { AuthenticationError, Pricetape } from '../../clients/typescript/src/index.ts'
import { createApiKey } from '../accounts/keys/create-api-key.ts'
import { findWorkspace } from '../accounts/workspaces/find-workspace.ts'
import type { DataFolder, Running } from '../embedded/data-folder.ts'
import { openSql } from '../lib/postgres/database.ts'

const KEY_NAME = 'MCP on this machine'

/**
 * Returns the key that MCP servers on this machine share: kept in the data folder, readable by its owner alone as
 * everything in it, and created again when the installation does not know it any more.
 */
export async function localApiKey(folder: DataFolder, { url, databaseUrl }: Running): Promise<string> {
  const kept = await readFile(folder.mcpKey, 'utf8').catch(() => undefined)
  if (kept !== undefined && (await isAccepted(url!, kept.trim()))) return kept.trim()
  const sql = await openSql(databaseUrl)
  try {
    const { key } = await createApiKey(sql, { workspaceId: await findWorkspace(sql), name: KEY_NAME })
    await writeFile(folder.mcpKey, `${key}\n`, { mode: 0o600 })
    return key
  } finally {
    await sql.end({ timeout: 5 })
  }
}

async function isAccepted(url: string, apiKey: string): Promise<boolean> {
  try {
    await new Pricetape({ url, apiKey, retries: 0 }).providers()
    return true
  } catch (error) {
    // Only a refused key is replaced: another fault would be met again with a new one.
    return !(error instanceof AuthenticationError)
  }
}
