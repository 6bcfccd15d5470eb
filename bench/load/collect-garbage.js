/**
 * Preloaded into a process whose memory is watched (`node --import`). On SIGUSR2 every thread of it collects its garbage
 * and appends a line to the file GARBAGE_LOG: which thread, and the bytes of its heap that are in use.
 */
import { appendFileSync } from 'node:fs'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { isMainThread, threadId } from 'node:worker_threads'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc')

function report() {
  collect()
  const { used_heap_size: used, external_memory: external } = getHeapStatistics()
  const line = { pid: process.pid, thread: threadId, used, external }
  appendFileSync(String(process.env.GARBAGE_LOG), `${JSON.stringify(line)}\n`)
}

const channel = new BroadcastChannel('collect-garbage')
channel.onmessage = report
// @ts-expect-error Node's channels have it; the types of browsers, which hold here, do not
channel.unref()
if (isMainThread)
  process.on('SIGUSR2', () => {
    channel.postMessage('now')
    report()
  })
