// Takes each of the locks it is sent, answers with those it got, and holds them until it is killed.
import { takeLock } from '../../src/embedded/process/file-lock.ts'

process.on('message', async (locks: string[]) => {
  const taken = await Promise.all(locks.map(async (lock) => ((await takeLock(lock)) ? [lock] : [])))
  process.send!(taken.flat())
})
process.send!('ready')
