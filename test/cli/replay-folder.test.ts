import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { readManifest, readSnapshots } from '../../src/cli/replay/replay-folder.ts'
import { collectorFor } from '../../src/collectors/index.ts'
import { replayPrices } from '../../src/prices/ingest/replay-prices.ts'
import { testDatabase } from '../support/database.ts'

const folder = mkdtempSync(join(tmpdir(), 'pricetape-replay-'))
afterAll(() => rmSync(folder, { recursive: true }))
const manifest = (entries: object[]) => writeFileSync(join(folder, 'manifest.json'), JSON.stringify(entries))
const list = (price: number) =>
  JSON.stringify({ acme: { name: 'Acme', models: { m: { cost: { input: price, output: price * 4 } } } } })

describe('a folder of recorded snapshots', () => {
  const db = testDatabase()

  it('is read in the order of its instants, whatever their offset and notation', async () => {
    manifest([
      { file: 'd', committedAt: '2026-01-05' },
      { file: 'c', committedAt: '2026-01-02 03:04:05 -0500' },
      { file: 'a', recordedAt: '2026-01-02T03:04:05+02:00' },
      { file: 'b', committedAt: '2026-01-02T03:04:05Z' },
      { file: 'b2', committedAt: '2026-01-02T03:04:05.000Z' },
    ])
    const listed = await readManifest(folder)
    expect(listed.map((item) => item.file)).toEqual(['a', 'b', 'b2', 'c', 'd'])
    expect(listed[3]?.at).toBe('2026-01-02T08:04:05.000Z')
    manifest([{ file: 'a', committedAt: 'yesterday' }])
    await expect(readManifest(folder)).rejects.toThrow('not an instant')
  })

  it('goes on past snapshots that cannot be read, and counts them', async () => {
    const files = {
      'first.json': list(1),
      'packed.json.gz': gzipSync(list(2)),
      'torn.json.gz': gzipSync(list(2)).subarray(0, 30),
      'page.html': '<html>busy</html>',
      'last.json': list(2.5),
    }
    for (const [file, bytes] of Object.entries(files)) writeFileSync(join(folder, file), bytes)
    manifest(Object.keys(files).map((file, i) => ({ file, committedAt: `2026-01-0${1 + Math.min(i, 3)}T00:00:00Z` })))
    const collector = collectorFor('models.dev')!
    const source = sourceDeclaration.parse({ source: 'models-dev', format: 'models-dev' })
    const parser = {
      parserVersion: collector.parserVersion,
      parse: (bytes: Uint8Array, at: Parameters<typeof collector.parse>[1]['at']) =>
        collector.parse(bytes, { source, at }),
    }
    const result = await replayPrices(db.sql, source, parser, readSnapshots(folder, await readManifest(folder)))
    expect(result).toMatchObject({ snapshots: 5, quarantined: { unreadable: 2 }, events: { 'price.changed': 4 } })
  })
})

describe('the name of a format', () => {
  it.each([
    ['models.dev', 'models-dev'],
    ['ModelsDev', 'models-dev'],
    ['models_dev', 'models-dev'],
    ['openrouter-models', 'openrouter'],
    ['skypilot-vms', 'skypilot'],
    ['azure-retail-prices', 'azure'],
    ['aws-price-list', 'aws'],
    ['LiteLLM', 'litellm'],
    ['genai_prices', 'genai-prices'],
    ['nothing', undefined],
  ])('%s means %s', (name, format) => {
    expect(collectorFor(name)?.format).toBe(format)
  })
})
