import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { NativeConnection } from '@temporalio/worker'
import { expect, it } from 'vitest'
import { testDatabase } from '../support/database.ts'
import { localTemporal } from '../support/servers/temporal.ts'
import { checkWorkers } from './check-workers.ts'
import { collectingSystem } from './support.ts'

const database = testDatabase()
const temporal = localTemporal()
const system = collectingSystem(database, (_, response) => response.end())
const { check, working } = checkWorkers(database, temporal, system)

it('more sources than one worker takes are collected in shards by all workers, each once', async () => {
  const prices = (n: number) => ({
    provider: `p${n}`,
    resource: 'm',
    dimension: 'input_tokens',
    price: '3',
    per: 1_000_000,
  })
  const names = Array.from({ length: 150 }, (_, n) => `shared-${n}`)
  for (const [n, name] of names.entries())
    writeFileSync(
      join(system.folder, `${name}.json`),
      JSON.stringify({ providers: [{ provider: `p${n}`, name: `P ${n}` }], prices: n === 7 ? 'none' : [prices(n)] }),
    )
  await system.declare(names.map((name) => ({ source: name, format: 'curated', url: `${name}.json` }))).sources()
  const second = await NativeConnection.connect({ address: temporal.env.address })
  const checked = async () => {
    const all: string[] = []
    const failing: string[] = []
    // A check collects for 60 seconds: on a loaded machine the next one takes what is left.
    for (let left = names.length; left > 0; ) {
      const { collected, problems } = await check()
      expect(problems).toEqual([])
      expect(collected!.slow).toEqual([])
      expect(collected!.left).toBe(left - collected!.collected.length)
      left = collected!.left
      // What failed comes first.
      const failed = collected!.collected.filter(({ problem }) => problem !== undefined)
      expect(failed).toEqual(collected!.collected.slice(0, failed.length))
      all.push(...collected!.collected.map(({ source }) => source))
      failing.push(...failed.map(({ source }) => source))
    }
    expect(all).toHaveLength(150)
    expect(new Set(all)).toEqual(new Set(names))
    expect(failing).toEqual(['shared-7'])
  }
  await working(() => working(checked, second))
  await second.close()
  const [row] = await database.sql`
    select count(*)::int as fetches, count(distinct source)::int as sources from source_fetch where source like 'shared-%'`
  expect(row).toEqual({ fetches: 150, sources: 150 })
}, 600_000)
