import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const SCRIPT = fileURLToPath(new URL('without-descriptors.ts', import.meta.url))

test('without a free file descriptor the fault is ours, and the process goes on', async () => {
  const shell = 'ulimit -n 200 && exec "$0" --import tsx "$1"'
  const { stdout } = await promisify(execFile)('bash', ['-c', shell, process.execPath, SCRIPT])
  const { without, after } = JSON.parse(stdout)
  expect(without).toMatchObject({ kind: 'platform', message: expect.stringMatching(/EMFILE/) })
  expect(after).toMatchObject({ kind: 'answer', status: 200 })
})
