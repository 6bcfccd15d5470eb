import { beforeEach, describe, expect, it } from 'vitest'
import { declareRestore } from '../../src/catalog/clock/begin-restored-timeline.ts'
import { readCheckpoint } from '../../src/proof/checkpoint-rules.ts'
import { keepLog } from '../../src/proof/keep-log.ts'
import { models } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { ask, testApi } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

const db = testDatabase({ each: true })
const api = testApi(db)
const keep = () => keepLog({ sql: db.sql, names: { logOrigin: 'log.test' }, secretKey: Buffer.alloc(32, 1) })
/** As everyone reads it: without a key. */
const read = (path: string) => ask(api.server, path)

describe('the files of the log', () => {
  let hash: string
  beforeEach(async () => {
    await snapshot(db.sql, 'list', models(180))
    expect((await read('/v1/log/checkpoint')).status).toBe(503)
    await keep()
    hash = (await db.sql<{ h: string }[]>`select content_hash as h from publication limit 1`)[0]!.h
  })

  it('are for everyone, and may be cached: the checkpoint for a minute, tiles forever', async () => {
    const checkpoint = await read('/v1/log/checkpoint')
    expect(checkpoint.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=60',
    })
    expect(readCheckpoint(checkpoint.text)).toMatchObject({ origin: 'log.test', size: 362 })
    for (const path of ['tile/0/000', 'tile/0/001.p/106', 'tile/1/000.p/1', 'tile/entries/000']) {
      const tile = await read(`/v1/log/${path}`)
      expect([path, tile.status, tile.headers['cache-control'], tile.headers['content-type']]).toEqual([
        path,
        200,
        'public, max-age=31536000, immutable',
        'application/octet-stream',
      ])
    }
    expect((await read('/v1/log/consistency?from=100')).json).toMatchObject({ from: 100, to: 362 })
    expect((await read('/v1/log/keys')).json).toMatchObject({ origin: 'log.test' })
  })

  it('are none that the log has not: other tiles, wider ones, other spellings', async () => {
    for (const path of [
      'tile/0/001',
      'tile/0/001.p/107',
      'tile/0/000.p/0',
      'tile/0/000.p/256',
      'tile/1/000.p/2',
      'tile/1/001.p/1',
      'tile/0/0',
      'tile/0/x000/000',
      'tile/2/000.p/1',
      'tile/9/000.p/1',
      'tile/9/000',
      'tile/entries/002.p/1',
      '0a1b2c3d/checkpoint',
      '0a1b2c3d/tile/0/000',
      'tile/0/',
      'anything',
    ])
      expect([path, (await read(`/v1/log/${path}`)).status]).toEqual([path, 404])
  })

  it('say that a row was published to those who have a key', async () => {
    expect((await read(`/v1/log/proof?contentHash=${hash}`)).status).toBe(401)
    const { json } = await api.get(`/v1/log/proof?contentHash=${hash}`)
    expect(Object.keys(json)).toEqual(['leafIndex', 'leaf', 'row', 'hashes', 'checkpoint'])
    const unknown = await api.get(`/v1/log/proof?contentHash=${'0'.repeat(64)}`)
    expect([unknown.status, (unknown.json as { error: { code: string } }).error.code]).toEqual([404, 'row_not_logged'])
    expect((await api.get('/v1/log/proof?contentHash=x')).status).toBe(400)
    expect((await read('/v1/log/consistency')).status).toBe(400)
    expect((await read('/v1/log/consistency?from=363')).status).toBe(404)
  })

  it('name what is wrong with the rows that a proof is asked of', async () => {
    const ask = async (payload: object) => {
      const headers = { authorization: `Bearer ${api.key}` }
      const answer = await api.server.inject({ method: 'POST', url: '/v1/log/proofs', headers, payload })
      const { code, field } = answer.json().error
      return `${answer.statusCode} ${code} ${field}`
    }
    for (const hashes of ['x', [], ['x'], [hash, hash], Array(10_001).fill(hash)])
      expect(await ask({ contentHashes: hashes })).toBe('400 invalid_query contentHashes')
    expect(await ask({ contentHashes: [hash], other: 1 })).toBe('400 invalid_query other')
    expect(await ask({ contentHashes: ['0'.repeat(64)] })).toBe('404 row_not_logged contentHashes')
  })

  it('answer 100 requests a second of an address, 200 at once; proofs have a bucket of their own', async () => {
    const ask = () => api.server.inject({ url: '/v1/log/tile/0/000', remoteAddress: '192.0.2.7' })
    const answers = await Promise.all(Array.from({ length: 260 }, ask))
    const refused = answers.find(({ statusCode }) => statusCode === 429)
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThanOrEqual(200)
    expect(refused?.headers['retry-after']).toBe('1')
    const { headers } = await api.get(`/v1/log/proof?contentHash=${hash}`)
    expect(headers['ratelimit-policy']).toBe('"log";q=200;w=2')
  })

  it('of a log from before a restore stay where they were, and those after it are elsewhere', async () => {
    await declareRestore(db.sql)
    await snapshot(db.sql, 'list', models(181))
    await keep()
    const { origins } = (await read('/v1/log/keys')).json as { origins: { path: string; lastSize: number | null }[] }
    const [before, after] = origins
    expect(before).toMatchObject({ path: '', lastSize: 362 })
    const newest = await read(`/v1/log${after!.path}/checkpoint`)
    expect(readCheckpoint(newest.text)?.size).toBe(365)
    expect(newest.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'public, max-age=60',
    })
    expect((await read(`/v1/log${after!.path}/tile/0/001.p/109`)).status).toBe(200)
    expect((await read('/v1/log/tile/0/001.p/107')).status).toBe(404)
    expect((await read('/v1/log/tile/0/001.p/106')).status).toBe(200)
  })
})
