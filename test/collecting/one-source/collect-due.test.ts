import { describe, expect, it } from 'vitest'
import { sourceState } from '../../../src/catalog/sources/source-store.ts'
import { collectDueSources } from '../../../src/collecting/collect-due-sources.ts'
import { collectNamedSource, collectNamedSources } from '../../../src/collecting/collect-named-sources.ts'
import { listSources } from '../../../src/collecting/list-sources.ts'
import type { DueReport } from '../../../src/collecting/schema.ts'
import { MINUTE, plus } from '../../../src/lib/instant.ts'
import { listing, listSource, name, sends, start } from './list-source.ts'

const list = listSource()
const { collect, collectDue, requests, system, database } = list

describe('collecting what is due', () => {
  const three = () =>
    ['a', 'b', 'c'].map((letter) => ({
      source: `${name}-${letter}`,
      format: 'genai-prices',
      url: `${system.base}/${letter}`,
    }))

  it('goes on past a bad source', async () => {
    list.collecting = system.declare(three())
    list.answer = (request, response) => {
      if (request.url === '/a') return void response.destroy()
      sends(request.url === '/b' ? 'nonsense' : listing(1))(request, response)
    }
    const report = await collectDue(start)
    expect(Object.fromEntries(report.collected.map(({ source, outcome }) => [source.at(-1), outcome]))).toEqual({
      a: 'failed',
      b: 'quarantined',
      c: 'changed',
    })
    expect((await collectDue(plus(start, MINUTE))).collected).toEqual([])
  })

  it('says that there is no internet when no connection came about, and lists each source with its problem', async () => {
    list.collecting = system.declare(
      ['127.0.0.1', '127.0.0.2'].map((host) => ({
        source: `of-${host}`,
        format: 'models-dev',
        url: `http://${host}:1/`,
      })),
    )
    const report = await collectDue(start)
    expect(report.noInternet).toMatch(/none of 2 sources could be reached\. .* PRICETAPE_OFFLINE=true/)
    const listed = await listSources(list.collecting)
    expect(listed.map(({ state }) => state?.problem)).toEqual([
      'http://127.0.0.1:1/ could not be read: the connection was refused.',
      'http://127.0.0.2:1/ could not be read: the connection was refused.',
    ])
  })

  it('hands a source that outlasts the check to a workflow of its own, as slow and not as broken', async () => {
    list.collecting = system.declare(three().slice(0, 2))
    list.answer = (request, response) => {
      if (request.url === '/b') sends(listing(1))(request, response)
      else response.writeHead(200).write('[')
    }
    let handed: string[] = []
    let report: DueReport | undefined
    // On a busy machine the first budgets are over before the other source is read.
    for (let budgetMs = 2_500; report?.collected.length !== 1 && budgetMs < 100_000; budgetMs *= 3) {
      handed = []
      const startCollecting = async (source: string) => void handed.push(source)
      report = await collectDueSources(list.collecting, start, { budgetMs, startCollecting })
    }
    expect(report).toMatchObject({
      collected: [{ source: `${name}-b`, outcome: 'changed' }],
      slow: [`${name}-a`],
      left: 0,
    })
    expect(handed).toEqual([`${name}-a`])
    expect(await sourceState(database.sql, `${name}-a`)).toMatchObject({ failures: 0 })
  })

  it('gives a source to one collection at a time', async () => {
    let release = () => {}
    const held = new Promise<void>((done) => {
      release = done
    })
    list.answer = async (request, response) => {
      await held
      sends(listing(1))(request, response)
    }
    const first = collect()
    await expect.poll(() => requests.length).toBe(1)
    expect(await collect()).toMatchObject({ outcome: 'skipped' })
    release()
    expect(await first).toMatchObject({ outcome: 'changed' })
  })

  it('lists every source with how it fares, and collects those named or all that are enabled', async () => {
    list.collecting = system.declare([
      ...three(),
      { source: `${name}-off`, format: 'litellm', url: `${system.base}/off`, enabled: false },
    ])
    list.answer = sends(listing(1))
    // All three list the same prices: the first one decides about them, the others confirm it.
    expect((await collectNamedSources(list.collecting)).map(({ outcome }) => outcome)).toEqual([
      'changed',
      'unchanged',
      'unchanged',
    ])
    const listed = await listSources(list.collecting)
    expect(
      listed.map(({ source, enabled, state: known }) => [source.slice(name.length + 1), enabled, known?.failures]),
    ).toEqual([
      ['a', undefined, 0],
      ['b', undefined, 0],
      ['c', undefined, 0],
      ['off', false, undefined],
    ])
    const named = await collectNamedSources(list.collecting, [`${name}-c`, `${name}-a`])
    expect(named.map(({ source }) => source)).toEqual([`${name}-c`, `${name}-a`])
    await expect(collectNamedSource(list.collecting, `${name}-off`, start)).rejects.toThrow(
      /-off is off in the sources file/,
    )
    await expect(collectNamedSources(list.collecting, ['none'])).rejects.toThrow('There is no source none. See: npx')
  })
})
