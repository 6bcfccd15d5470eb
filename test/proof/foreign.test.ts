import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readCheckpoint } from '../../src/proof/checkpoint-rules.ts'
import { keepLog } from '../../src/proof/keep-log.ts'
import { readKeys } from '../../src/proof/keys/read-keys.ts'
import { rotateLogKey } from '../../src/proof/keys/rotate-log-key.ts'
import { readConsistency, readProof } from '../../src/proof/read-proof.ts'
import { models } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { testServer } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { lacks } from '../support/suite/needs.ts'
import { goProgram } from '../wire/toolchains.ts'

const db = testDatabase()
const secretKey = Buffer.alloc(32, 3)
const keep = () => keepLog({ sql: db.sql, names: { logOrigin: 'log.test/prices' }, secretKey })

type Report = {
  code: number
  said: string
  report?: { leaves: number; size: number; signatures: number; root: string }
}

async function check(program: string, given: object): Promise<Report> {
  return new Promise((done) => {
    const child = execFile(program, (error, stdout, stderr) =>
      done({ code: error ? 1 : 0, said: stderr, report: error ? undefined : JSON.parse(stdout) }),
    )
    child.stdin!.end(JSON.stringify(given))
  })
}

describe.skipIf(lacks('Go'))('Go’s own tlog and note (needs Go)', () => {
  it('read checkpoint, tiles and entries, and agree with every proof, and with none that was changed', async () => {
    const program = await goProgram(join(import.meta.dirname, 'tlog'))
    const sizes: number[] = []
    for (const count of [3, 90, 170]) {
      await snapshot(db.sql, 'list', models(count))
      await keep()
      sizes.push(readCheckpoint((await readConsistency(db.sql, 0)).checkpoint)!.size)
    }
    await rotateLogKey(db.sql, secretKey, { atOnce: false })
    const rows = await db.sql<{ hash: string }[]>`
      select content_hash as hash from (select content_hash, row_number() over (order by content_hash) as n from publication)
      where n % 41 = 1`
    const server = await testServer(db.sql)
    try {
      const address = await server.listen({ port: 0, host: '127.0.0.1' })
      const inclusions = await Promise.all(rows.map(({ hash }) => readProof(db.sql, hash)))
      const froms = [1, 2, 7, 128, 255, 256, 257, ...sizes]
      const given = {
        prefix: `${address}/v1/log`,
        verifiers: (await readKeys(db.sql)).keys.map(({ verifier }) => verifier),
        inclusions,
        consistency: await Promise.all(froms.map((from) => readConsistency(db.sql, from))),
      }
      const { root, size } = readCheckpoint(inclusions[0]!.checkpoint)!
      expect(size).toBeGreaterThan(256)
      expect(await check(program, given)).toEqual({
        code: 0,
        said: '',
        report: { leaves: size, size, signatures: 2, root: root.toString('base64') },
      })
      const [first, ...others] = inclusions
      const changed = { ...first!, leaf: first!.leaf.replace('auto_approved', 'approved') }
      expect(await check(program, { ...given, inclusions: [changed, ...others] })).toMatchObject({ code: 1 })
      expect(await check(program, { ...given, verifiers: given.verifiers.slice(2) })).toMatchObject({ code: 1 })
    } finally {
      await server.close()
    }
  })
})
