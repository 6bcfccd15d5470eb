import { Client, Connection } from '@temporalio/client'
import { vi } from 'vitest'
import { findWorkspace } from '../../../src/accounts/workspaces/find-workspace.ts'
import type { CheckReport } from '../../../src/cli/sources/check.ts'
import { dataFolder, readRunning, readSecrets } from '../../../src/embedded/data-folder.ts'
import { connect, type Sql } from '../../../src/lib/sql.ts'
import { checkNow } from '../../../src/temporal/request-check.ts'
import { sendTestEvent } from '../../../src/webhooks/manage/send-test-event.ts'
import { createWebhook } from '../../../src/webhooks/subscriptions/create-webhook.ts'

/** A running installation, as the operator's commands reach it. */
export type RunningInstallation = {
  /** Creates a webhook and queues a test event for it. */
  queueTest(url: string): Promise<void>
  /** Starts a check, as soon as Temporal knows its namespace. */
  startCheck(): Promise<void>
  /** Runs a check to its end. */
  check(): Promise<CheckReport>
}

/** Acts on the installation of a data folder in this process: starting a command costs a second of processor time. */
export async function onRunning<T>(data: string, act: (installation: RunningInstallation) => Promise<T>): Promise<T> {
  const folder = dataFolder(data)
  const [running, secrets] = [(await readRunning(folder))!, (await readSecrets(folder))!]
  const namespace = running.temporalNamespace
  const connection = await Connection.connect({ address: running.temporal! })
  const sql = connect(running.databaseUrl, { max: 1 })
  const startCheck = async () => {
    const known = () => connection.workflowService.describeNamespace({ namespace })
    await vi.waitFor(known, { timeout: 60_000, interval: 250 })
    return checkNow(new Client({ connection, namespace }))
  }
  try {
    return await act({
      queueTest: (url) => queueTest(sql, Buffer.from(secrets.secretKey, 'base64'), url),
      startCheck: async () => void (await startCheck()),
      check: async () => (await startCheck()).result(),
    })
  } finally {
    await sql.end()
    await connection.close()
  }
}

async function queueTest(sql: Sql, secretKey: Uint8Array, url: string): Promise<void> {
  const workspaceId = await findWorkspace(sql)
  const body = { name: 'Mine', url, eventTypes: ['price.changed' as const], providers: ['*'] }
  const { webhook } = await createWebhook(sql, { secretKey, checkUrl: async () => {} }, workspaceId, body)
  await sendTestEvent({ sql }, { id: webhook.id, workspaceId })
}
