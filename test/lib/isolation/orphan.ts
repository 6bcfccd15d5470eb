import { createIsolation } from '../../../src/lib/isolation/isolation.ts'
import { defineTask } from '../../../src/lib/isolation/task.ts'

/** A process whose task never ends: it says which process runs the task, and waits to be killed. */
const isolation = createIsolation({ concurrency: 1 })
const processId = defineTask<() => number>(import.meta.url, './tasks', 'processId')
const spin = defineTask<() => never>(import.meta.url, './tasks', 'spin')
console.log(await isolation.run(processId, undefined))
if (process.argv[2] === 'spin') await isolation.run(spin, undefined)
