import { setTimeout as sleep } from 'node:timers/promises'
import { SECOND } from '../instant.ts'

/** Waits for `work` no longer than `ms`. @throws Error when it takes longer; it goes on, and no one waits for it */
export async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const done = new AbortController()
  const late = sleep(ms, undefined, { signal: done.signal, ref: false }).then(() => {
    throw new Error(`no answer within ${ms / SECOND} s`)
  })
  late.catch(() => {})
  try {
    return await Promise.race([work, late])
  } finally {
    done.abort()
  }
}
