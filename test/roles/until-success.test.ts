import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../../src/lib/config.ts'
import { createLog } from '../../src/lib/log.ts'
import { untilSuccess } from '../../src/roles/role.ts'

const context = (stop: Promise<unknown>) => ({ config: readConfig({}), log: createLog('silent'), stop })

describe('a process that waits for its servers', () => {
  it('tries again until they answer', async () => {
    let tries = 0
    const work = async () => {
      if (++tries < 3) throw new Error('connection refused')
      return tries
    }
    expect(await untilSuccess(context(new Promise(() => {})), work)).toBe(3)
  })

  it('gives up when it is asked to stop', async () => {
    const stop = sleep(50)
    const work = () => Promise.reject(new Error('connection refused'))
    expect(await untilSuccess(context(stop), work)).toBeUndefined()
  })
})
