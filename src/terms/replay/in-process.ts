import type { Isolation } from '../../lib/isolation/isolation.ts'
import { defineTask, type Task } from '../../lib/isolation/task.ts'

const TEXT_TASKS = defineTask(import.meta.url, '../read/read-document.task', 'readDocument').url

/**
 * Runs the tasks that compare extracted texts in this process, without these rules, and all others where they run usually. A
 * replay compares texts that were read in an isolated process before, and starting processes would take most of its time.
 */
export const inProcess = (isolation: Isolation, without: string[]): Isolation => ({
  ...isolation,
  run: async <Input, Output>(task: Task<Input, Output>, input: Input, options?: object): Promise<Output> => {
    if (task.url !== TEXT_TASKS || task.name === 'extractPage') return isolation.run(task, input, options)
    const tasks = (await import('../read/read-document.task.ts')) as unknown as Record<string, (input: Input) => Output>
    return await tasks[task.name]!({ ...input, without })
  },
})
