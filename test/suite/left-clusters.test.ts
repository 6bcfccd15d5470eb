import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeLeftClusters } from '../support/suite/left-clusters.ts'

const ANCIENT = new Date('2026-01-01')
/** Above every number that Linux gives to a process. */
const NO_PROCESS = 4_194_305

it('removes the clusters of killed runs, and no other folder', async () => {
  const disk = await mkdtemp(join(tmpdir(), 'pricetape-left-'))
  const add = async (name: string, { pid, at = ANCIENT }: { pid?: number; at?: Date }) => {
    const folder = join(disk, name)
    await mkdir(join(folder, 'postgres'), { recursive: true })
    if (pid !== undefined) await writeFile(join(folder, 'postgres/postmaster.pid'), `${pid}\n${folder}\n`)
    await utimes(folder, at, at)
  }
  await add('pricetape-test-stopped', {})
  await add('pricetape-test-killed', { pid: NO_PROCESS })
  await add('pricetape-test-served', { pid: process.pid })
  await add('pricetape-test-new', { at: new Date() })
  await add('something-else', {})
  await removeLeftClusters(disk)
  expect((await readdir(disk)).sort()).toEqual(['pricetape-test-new', 'pricetape-test-served', 'something-else'])
  await rm(disk, { recursive: true })
})
