import type { OpenContext } from '../context.ts'
import type { Config } from '../lib/config.ts'
import { OperatorError } from '../lib/errors.ts'
import { buildServer } from '../server.ts'
import type { bundleWorkflows } from '../temporal/bundle.ts'
import { portIsFree } from './process/ports.ts'

type Bundle = Awaited<ReturnType<typeof bundleWorkflows>>

export type Api = AsyncDisposable & { url: string }
export type RunningWorkers = AsyncDisposable & { failed: Promise<never> }

/** Said before anything heavy is started. */
export async function portMustBeFree({ port }: Config): Promise<void> {
  if (port !== 0 && !(await portIsFree(port))) throw portTaken(port)
}

const portTaken = (port: number): OperatorError =>
  new OperatorError(`Port ${port} is taken. Stop what uses it, or set PORT to another.`)

/** The API, listening. */
export async function openApi(ctx: OpenContext): Promise<Api> {
  const { host, port, publicUrl } = ctx.config
  const server = await buildServer(ctx)
  const { level } = ctx.log
  try {
    // The screen says where the API listens; the framework would say it once more in the middle of it.
    if (level === 'info') ctx.log.level = 'warn'
    await server.listen({ host, port })
  } catch (error) {
    await server.close()
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') throw portTaken(port)
    throw new OperatorError(`The API cannot listen on ${host}:${port}: ${(error as Error).message}.`, { cause: error })
  }
  ctx.log.level = level
  const address = server.server.address()
  const bound = address !== null && typeof address === 'object' ? address.port : port
  return {
    url: publicUrl?.replace(/\/$/, '') ?? `http://localhost:${bound}`,
    [Symbol.asyncDispose]: () => server.close(),
  }
}

/** The workers, polling. Disposing lets what is in their hands end first. */
export async function openWorkers(ctx: OpenContext, bundle: Bundle): Promise<RunningWorkers> {
  // Imported here alone: the worker's packages take most of the memory of a process, and an API node needs none of them.
  const { buildWorkers, openPollingConnection } = await import('../worker.ts')
  const connection = await openPollingConnection(ctx.access)
  const workers = await buildWorkers(ctx, connection, { bundle })
  const running = workers.run()
  const failed = running.then(
    () => new Promise<never>(() => {}),
    (cause) => {
      throw new OperatorError(
        `The workers ended by themselves: ${(cause as Error).message}. Nothing is lost: start again.`,
        { cause },
      )
    },
  )
  failed.catch(() => {})
  return {
    failed,
    [Symbol.asyncDispose]: async () => {
      workers.shutdown()
      await running.catch(() => {})
      await connection.close()
    },
  }
}
