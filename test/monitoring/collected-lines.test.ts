import { expect, it } from 'vitest'
import { createLog } from '../../src/lib/log.ts'
import { createWorkRecorder } from '../../src/monitoring/record-work.ts'

/** Records one collection, and returns what the log of an installation as it is delivered says of it. */
function said(outcome: string, noInternet?: boolean): Record<string, unknown>[] {
  const written: string[] = []
  const log = createLog('info', 'json', { write: (line: string) => void written.push(line) })
  createWorkRecorder({ log }).collected(
    { source: 'acme-list', outcome, problem: 'no answer', durationMs: 12.4 },
    noInternet,
  )
  return written.map((line) => JSON.parse(line) as Record<string, unknown>)
}

it('a source that could not be read is one line with its reason, and none where nothing can be reached', () => {
  expect(said('failed')).toMatchObject([
    { source: 'acme-list', outcome: 'failed', problem: 'no answer', durationMs: 12, msg: 'source collected' },
  ])
  expect(said('failed', true)).toEqual([])
  expect(said('changed', true)).toMatchObject([{ outcome: 'changed' }])
  expect(said('unchanged')).toEqual([])
  expect(said('skipped')).toEqual([])
})
