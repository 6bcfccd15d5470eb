import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TestWorkflowEnvironment } from '@temporalio/testing'
import { SEARCH_ATTRIBUTES } from '../../../src/temporal/search-attributes.ts'
import { startTestServer } from './test-server.ts'

/** INDEXED_VALUE_TYPE_KEYWORD of Temporal's API. */
const KEYWORD = 2

/** A Temporal server that skips time, and how the SDK reaches it. The caller stops the server and removes the folder. */
export async function startTimeSkipping() {
  const { server, port } = await startTestServer()
  const folder = await mkdtemp(join(tmpdir(), 'pricetape-test-'))
  // The SDK insists on starting the server itself and gives it 5 seconds: ours runs already, this one only waits.
  const path = join(folder, 'waits')
  await writeFile(path, '#!/bin/sh\nexec sleep 100000\n')
  await chmod(path, 0o755)
  const env = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path }, port },
  })
  await env.connection.operatorService.addSearchAttributes({
    namespace: 'default',
    searchAttributes: Object.fromEntries(SEARCH_ATTRIBUTES.map((name) => [name, KEYWORD])),
  })
  return { env, server, folder }
}
