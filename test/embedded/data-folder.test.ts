import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dataFolder, readRememberedPorts, rememberPorts } from '../../src/embedded/data-folder.ts'

let root = ''
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'pricetape-folder-'))
})
afterAll(() => rm(root, { recursive: true }))

it('Servers that start at the same time remember their ports beside each other', async () => {
  const folder = dataFolder(root)
  for (let port = 1; port <= 20; port++) {
    await Promise.all([
      rememberPorts(folder, { postgresPort: port, postgresFolder: 'postgres' }),
      rememberPorts(folder, { temporalPort: port, temporalPid: 7 }),
    ])
    expect(await readRememberedPorts(folder)).toEqual({
      postgresPort: port,
      postgresFolder: 'postgres',
      temporalPort: port,
      temporalPid: 7,
    })
  }
})
