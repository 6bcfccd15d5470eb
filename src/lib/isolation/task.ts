import { codeUrl } from '../process/code-file.ts'

/** A function that runs in a process of its own, named by the module that exports it. */
export type Task<Input, Output> = {
  url: string
  name: string
  /** Carries the types and is never present. */
  types?: (input: Input) => Output
}

/** Gives a part of a large result before its end; the promise is fulfilled when there is room for more. */
export type Emit = (bytes: Uint8Array) => Promise<void>

/**
 * Names a task without importing it, so that parsers are loaded where they run and nowhere else:
 * `defineTask<typeof import('./parse.task.ts').parse>(import.meta.url, './parse.task', 'parse')`.
 * @param from `import.meta.url` of the caller
 * @param module the path of the module without its ending
 * @param name what the module exports
 */
export function defineTask<F extends (input: never, emit: Emit) => unknown>(
  from: string,
  module: string,
  name: string,
): Task<Parameters<F>[0], Awaited<ReturnType<F>>> {
  return { url: codeUrl(from, module), name }
}
