import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { PassThrough, pipeline, type Readable } from 'node:stream'
import { AppError } from '../lib/errors.ts'
import { codeFile } from '../lib/process/code-file.ts'
import { programArguments } from '../lib/process/program-file.ts'
import type { Sql } from '../lib/sql.ts'
import { openExport } from './open-export.ts'
import type { ExportTask } from './schema.ts'

/** Exports that one node writes at once: each keeps a core and the database busy for minutes. */
const MAX_EXPORTS = 2
const RETRY_SECONDS = 60
/** Whoever waits for a page or a check goes first. */
const EXPORT_PRIORITY = 10
const MAX_HEAP_MB = 256
const KEPT_ERROR_CHARACTERS = 2_000

const ENTRY = codeFile(import.meta.url, './child')

type ExportRequest = Omit<ExportTask, 'databaseUrl' | 'asOf'> & Partial<Pick<ExportTask, 'asOf'>>
export type Exporter = {
  /**
   * Starts to write an export in a process of its own, which ends when its bytes are not wanted any more.
   * @throws AppError rate_limited while others are written; and as {@link openExport}
   */
  start(wanted: ExportRequest): Promise<{ asOf: ExportTask['asOf']; bytes: Readable }>
  close(): void
}

/** @param databaseUrl what the processes connect to; nothing is exported where it is not known */
export function createExporter(sql: Sql, databaseUrl: string | undefined): Exporter {
  const running = new Set<Running>()
  return {
    async start(wanted) {
      if (databaseUrl === undefined) throw new AppError('unavailable', 'This server was started without DATABASE_URL.')
      if (running.size >= MAX_EXPORTS) throw tooMany()
      const one: Running = {}
      // Taken before anything is waited for: of many at once no more are let through.
      running.add(one)
      try {
        const { asOf } = await openExport(sql, wanted)
        one.bytes = written({ ...wanted, databaseUrl, asOf }, () => running.delete(one))
        return { asOf, bytes: one.bytes }
      } catch (error) {
        running.delete(one)
        throw error
      }
    },
    close() {
      for (const { bytes } of running) bytes?.destroy()
    },
  }
}

type Running = { bytes?: Readable }

/** Starts a process and returns what it writes. A process that failed does not look like the end of a file. */
function written(task: ExportTask, onEnd: () => void): Readable {
  const child = spawn(process.execPath, [`--max-old-space-size=${MAX_HEAP_MB}`, ...programArguments(ENTRY)], {
    env: {},
  })
  const ended = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
  let lastWords = ''
  child.stderr.on('data', (text) => {
    lastWords = (lastWords + text).slice(-KEPT_ERROR_CHARACTERS)
  })
  const bytes = new PassThrough({
    flush: (done) =>
      void ended.then((code) =>
        done(code === 0 ? null : new Error(`an export ended before its file was whole: ${lastWords}`)),
      ),
  })
  // Whoever does not want the bytes any more destroys them, which ends the process.
  pipeline(child.stdout, bytes, () => child.kill('SIGKILL'))
  void ended.then(onEnd)
  giveWay(child.pid)
  child.stdin.on('error', () => {})
  // On standard input: the address has a password, and arguments are for everyone on the machine to see.
  child.stdin.end(JSON.stringify(task))
  return bytes
}

function giveWay(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, EXPORT_PRIORITY)
  } catch {
    // It has ended already, which is noticed elsewhere.
  }
}

const tooMany = (): AppError =>
  new AppError(
    'rate_limited',
    `${MAX_EXPORTS} exports are being written at the moment, and no more at once: try again when one of them is done.`,
    { retryAfter: RETRY_SECONDS },
  )
