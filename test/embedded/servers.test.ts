import { execFileSync } from 'node:child_process'
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dataFolder, makeDataFolder, readOrMakeSecrets, rememberPorts } from '../../src/embedded/data-folder.ts'
import { keepPostgres, keepTemporal, type Start } from '../../src/embedded/servers.ts'
import { readConfig } from '../../src/lib/config.ts'
import { createLog } from '../../src/lib/log.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { connect } from '../../src/lib/sql.ts'
import { newcomer, processesOn } from '../support/installation.ts'

describe('the servers of a data folder', () => {
  let here: Awaited<ReturnType<typeof newcomer>>
  let stops: (() => Promise<void>)[] = []
  beforeEach(async () => {
    here = await newcomer()
  })
  afterEach(async () => {
    await Promise.all(stops.map((stop) => stop()))
    stops = []
    await here.remove()
  })

  const startOn = async (data: string, env = here.env): Promise<Start> => {
    const folder = dataFolder(data)
    await makeDataFolder(folder)
    return {
      config: readConfig({ ...env, PRICETAPE_DATA_DIR: data }),
      folder,
      log: createLog('silent'),
      progress: silent,
    }
  }
  async function postgresOn(data: string) {
    const start = await startOn(data)
    const kept = await keepPostgres(start, await readOrMakeSecrets(start.folder))
    stops.push(kept.stop)
    const server = await kept.first
    await rememberPorts(start.folder, { postgresPort: server.port })
    return { ...kept, ...server, stop: kept.stop }
  }
  async function temporalOn(start: Start) {
    const { kept } = await keepTemporal(start)
    stops.push(kept.stop)
    return kept
  }
  /** Adds a name to a table of the database, and reads all that are in it. */
  async function namesIn({ url }: { url: string }, name: string): Promise<string> {
    const sql = connect(url, { max: 1 })
    try {
      await sql`create table if not exists names (name text)`
      await sql`insert into names values (${name})`
      const rows = await sql<{ name: string }[]>`select name from names`
      return rows.map((row) => row.name).join(' ')
    } finally {
      await sql.end({ timeout: 1 })
    }
  }

  it('read and stop nothing of the data folder that theirs is a copy of, also after that one was moved', async () => {
    const [data, copied, moved] = [here.data, join(here.folder, 'copied'), join(here.folder, 'moved')]
    const first = await postgresOn(data)
    await namesIn(first, 'first')
    await first.stop()
    execFileSync('cp', ['-a', data, copied])

    const [original, copy] = await Promise.all([postgresOn(data), postgresOn(copied)])
    expect(await namesIn(original, 'original')).toBe('first original')
    expect(await namesIn(copy, 'copy')).toBe('first copy')
    expect([original.status(), copy.status()]).toMatchObject([
      { up: true, restarts: 0 },
      { up: true, restarts: 0 },
    ])

    await original.stop()
    await rename(data, moved)
    expect(await namesIn(await postgresOn(moved), 'moved')).toBe('first original moved')
    expect(await namesIn(copy, 'again')).toBe('first copy again')
    expect(copy.status()).toEqual({ up: true, restarts: 0 })
  }, 120_000)

  it('include Temporal on a new store where a first start was killed while it made one', async () => {
    const start = await startOn(here.data)
    await writeFile(start.folder.temporal, '')
    const temporal = await temporalOn(start)
    await temporal.first
    expect(await readdir(here.data)).toContain('temporal.db.damaged')
  }, 120_000)

  it('leave a store that Temporal once answered with to the operator', async () => {
    const start = await startOn(here.data)
    await rememberPorts(start.folder, { temporalPid: 4_194_000 })
    await writeFile(start.folder.temporal, '')
    const temporal = await temporalOn(start)
    await expect(temporal.first).rejects.toThrow(/Temporal does not start: .* move it away/s)
    expect(await readdir(here.data)).not.toContain('temporal.db.damaged')
  }, 120_000)

  it('do not run on where their ports cannot be remembered', async () => {
    const start = await startOn(here.data)
    await mkdir(`${start.folder.ports}.new`)
    const temporal = await temporalOn(start)
    await expect(temporal.first).rejects.toThrow('EISDIR')
    expect(await processesOn(start.folder.temporal)).toEqual([])
    await rm(`${start.folder.ports}.new`, { recursive: true })
  }, 120_000)
})
