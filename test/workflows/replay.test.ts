import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import protos from '@temporalio/proto'
import { type ReplayResult, Worker } from '@temporalio/worker'
import { describe, expect, it } from 'vitest'
import * as workflows from '../../workflows/index.ts'
import { localTemporal } from '../support/servers/temporal.ts'

const HISTORIES = join(import.meta.dirname, '../histories')

/**
 * Workflow code may change under workflows that run: every path that was ever recorded has to replay. When one fails,
 * guard the change with `patched()` (docs/deliveries.md).
 */
describe('recorded histories', () => {
  const temporal = localTemporal()

  it('replay without a difference, and cover every workflow', async () => {
    const files = (await readdir(HISTORIES, { recursive: true })).filter((name) => name.endsWith('.json'))
    const histories = await Promise.all(
      files.map(async (name) => {
        const plain = JSON.parse(await readFile(join(HISTORIES, name), 'utf8'))
        const history = protos.temporal.api.history.v1.History.fromObject(plain)
        return { workflowId: name.replace('.json', ''), history }
      }),
    )
    const types = new Set(
      histories.map(({ history }) => history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowType?.name),
    )
    expect(types).toEqual(new Set(Object.keys(workflows)))
    const options = { workflowBundle: await temporal.workflowBundle() }
    const results: ReplayResult[] = []
    for await (const result of Worker.runReplayHistories(options, histories)) results.push(result)
    expect(results).toHaveLength(files.length)
    expect(results.filter((result) => result.error).map((result) => `${result.workflowId}: ${result.error}`)).toEqual(
      [],
    )
  })
})
