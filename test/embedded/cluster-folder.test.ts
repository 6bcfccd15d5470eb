import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { dataFolder } from '../../src/embedded/data-folder.ts'
import { claimCluster, ownCluster } from '../../src/embedded/postgres/cluster-folder.ts'
import { runsOn } from '../../src/embedded/process/process-identity.ts'

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'pricetape-cluster-'))
})
afterEach(() => rm(root, { recursive: true }))

it('A copied or moved data folder uses the database inside it, whatever path an earlier version remembered', async () => {
  const original = dataFolder(join(root, 'original'))
  const copy = dataFolder(join(root, 'copy'))
  const moved = dataFolder(join(root, 'moved'))
  await mkdir(original.postgres, { recursive: true })
  await writeFile(join(original.postgres, 'PG_VERSION'), '18')
  await cp(original.root, copy.root, { recursive: true })
  expect(await ownCluster(copy, original.postgres)).toBe(copy.postgres)
  await rename(original.root, moved.root)
  expect(await ownCluster(moved, original.postgres)).toBe(moved.postgres)
})

it('A database outside the data folder is refused to another data folder, and is not made again when it is gone', async () => {
  const [one, other] = [dataFolder(join(root, 'one')), dataFolder(join(root, 'other'))]
  const elsewhere = join(root, 'elsewhere', 'postgres')
  expect(await ownCluster(one, undefined)).toBeUndefined()
  await mkdir(elsewhere, { recursive: true })
  expect(await ownCluster(one, elsewhere)).toBe(elsewhere)
  await claimCluster(one, elsewhere)
  expect(await ownCluster(one, elsewhere)).toBe(elsewhere)
  await expect(ownCluster(other, elsewhere)).rejects.toThrow(/belongs to the data folder .*one, not to .*other/)
  await rm(elsewhere, { recursive: true })
  await expect(ownCluster(one, elsewhere)).rejects.toThrow(/is expected in .*elsewhere.* which is missing/)
})

it('A server of a folder whose path only ends like ours is not taken for ours', async () => {
  const child = spawn('/bin/sh', ['-c', 'read -r line', 'sh', '/srv/data/postgres'])
  await once(child, 'spawn')
  try {
    expect(await runsOn(child.pid!, '/srv/data/postgres')).toBe(true)
    expect(await runsOn(child.pid!, '/data/postgres')).toBe(false)
  } finally {
    child.kill('SIGKILL')
  }
})
