import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { readKeys } from '../../src/proof/keys/read-keys.ts'
import { command } from '../support/command.ts'
import { testDatabase } from '../support/database.ts'
import { logSigner } from '../support/definitions/log-by-definition.ts'
import { keep, LOG_SECRET, seedHistory, testFolder } from './support.ts'

const db = testDatabase()
const folder = testFolder()
const env = () => ({ ...process.env, DATABASE_URL: db.url, PRICETAPE_SECRET_KEY: LOG_SECRET.toString('base64') })
let key = ''

beforeAll(async () => {
  await seedHistory(db.sql)
  await keep(db.sql)
  key = (await readKeys(db.sql)).keys[0]!.verifier
})

describe.each(['csv', 'parquet'])('npx pricetape export --format %s', (format) => {
  const file = join(folder, `whole.${format}`)

  it('writes a file that npx pricetape verify finds whole, without an installation', async () => {
    const written = await command(env(), 'export', '--format', format, '--out', file)
    expect(written).toMatchObject({ code: 0 })
    expect(written.said).toContain('12 lines')
    const verified = await command({}, 'verify', '--file', file, '--key', key, '--json')
    expect(JSON.parse(verified.said)).toMatchObject({ rows: 12, isWhole: true, origin: 'log.test/prices' })
  })

  it('leaves nothing behind where it fails, and what was there before', async () => {
    writeFileSync(join(folder, `old.${format}`), 'old')
    const failed = await command(
      env(), 'export', '--format', format, '--provider', 'nobody', '--out', join(folder, `old.${format}`),
    ) // biome-ignore format: a command reads best in a line
    expect(failed).toMatchObject({ code: 1, said: expect.stringContaining('There is no provider "nobody"') })
    expect(readFileSync(join(folder, `old.${format}`), 'utf8')).toBe('old')
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })
})

it('a part of the history says that it is one', async () => {
  const file = join(folder, 'part.csv')
  await command(env(), 'export', '--format', 'csv', '--provider', 'zeta', '--out', file)
  expect((await command({}, 'verify', '--file', file, '--key', key)).said).toContain('a part of the history')
})

it('an edited file is refused with the row that was edited', async () => {
  const file = join(folder, 'edited.csv')
  await command(env(), 'export', '--format', 'csv', '--as-of', '2026-01-03T00:00:00Z', '--out', file)
  writeFileSync(file, readFileSync(file, 'utf8').replace('0.000003', '0.000004'))
  const refused = await command({}, 'verify', '--file', file, '--key', key)
  expect(refused.code).toBe(1)
  expect(refused.said.replace(/\s+/g, ' ')).toContain('was edited')
})

it('a file is refused by another key, and where it is not an export', async () => {
  const file = join(folder, 'whole.csv')
  await command(env(), 'export', '--format', 'csv', '--out', file)
  const other = await command({}, 'verify', '--file', file, '--key', logSigner('log.test/prices').verifier)
  expect(other).toMatchObject({ code: 1, said: expect.stringContaining('No key of') })
  writeFileSync(join(folder, 'no.parquet'), 'no')
  const no = await command({}, 'verify', '--file', join(folder, 'no.parquet'), '--key', key)
  expect(no).toMatchObject({ code: 1, said: expect.stringContaining('is not a Parquet file') })
  writeFileSync(join(folder, 'alone.csv'), 'a,b\r\n')
  const alone = await command({}, 'verify', '--file', join(folder, 'alone.csv'), '--key', key)
  expect(alone).toMatchObject({ code: 1, said: expect.stringContaining('is not beside it') })
})

it('--out - writes to standard output, and nothing else', async () => {
  const args = ['--import', 'tsx', 'src/cli/main.ts', 'export', '--format', 'csv', '--out', '-']
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: env() })
  expect(stdout.split('\r\n')).toHaveLength(14)
})
