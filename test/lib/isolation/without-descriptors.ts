import { closeSync, openSync } from 'node:fs'
import { createIsolation } from '../../../src/lib/isolation/isolation.ts'
import { defineTask } from '../../../src/lib/isolation/task.ts'

/** Requests tasks while this process has no free file descriptor to start one with, and again after it has some. */
const isolation = createIsolation({ concurrency: 1 })
const processId = defineTask<() => number>(import.meta.url, './tasks', 'processId')
const run = () =>
  isolation.run(processId, undefined).then(
    () => 'done',
    () => 'refused',
  )
const taken: number[] = []
try {
  for (;;) taken.push(openSync('/dev/null', 'r'))
} catch {
  // Every descriptor is taken now.
}
const without = await Promise.all([run(), run()])
for (const descriptor of taken) closeSync(descriptor)
console.log([...without, await run()].join(' '))
process.exit()
