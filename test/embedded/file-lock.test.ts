import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const TAKER = join(import.meta.dirname, 'lock-taker.ts')
const ROUNDS = 150
const TAKERS = 3

it('A lock whose holder is dead is taken by one of the processes that want it at the same time', async () => {
  const root = await mkdtemp(join(tmpdir(), 'pricetape-lock-'))
  const locks = Array.from({ length: ROUNDS }, (_, n) => join(root, `lock-${n}`))
  await Promise.all(locks.map((lock) => writeFile(lock, JSON.stringify({ pid: process.pid, identity: 'gone' }))))
  const takers = Array.from({ length: TAKERS }, () => fork(TAKER, { execArgv: ['--import', 'tsx'] }))
  try {
    await Promise.all(takers.map((taker) => once(taker, 'message')))
    const answers = takers.map(async (taker) => (await once(taker, 'message'))[0] as string[])
    for (const taker of takers) taker.send(locks)
    expect((await Promise.all(answers)).flat().toSorted()).toEqual(locks.toSorted())
  } finally {
    for (const taker of takers) taker.kill('SIGKILL')
    await rm(root, { recursive: true })
  }
}, 120_000)
