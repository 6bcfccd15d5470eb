import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { promisify } from 'node:util'
import { OperatorError } from '../../lib/errors.ts'
import { type Instant, instantOf } from '../../lib/instant.ts'

/** One file as one commit left it. `url` is what the commit says of its origin. */
export type CommittedFile = { path: string; blob: string; at: Instant; url?: string }

const MAX_LOG_BYTES = 512 * 1024 * 1024
const COMMIT = '\u0001'
const ORIGIN = 'X-source-document-location'

/** Returns every file that the commits of a repository wrote, the oldest first. @throws OperatorError */
export async function committedFiles(repository: string): Promise<CommittedFile[]> {
  const format = `${COMMIT}%ct\t%(trailers:key=${ORIGIN},valueonly,separator=)`
  const log = ['-c', 'core.quotepath=off', 'log', '--reverse', '--no-renames', '--raw', '--no-abbrev', '-z']
  const { stdout } = await promisify(execFile)('git', [...log, `--format=${format}`], {
    cwd: repository,
    maxBuffer: MAX_LOG_BYTES,
  }).catch((error: Error) => {
    throw new OperatorError(`${repository} is not a Git history that can be read: ${error.message}`)
  })
  return stdout.split(COMMIT).flatMap(filesOf)
}

/** A commit as `git log --raw -z` prints it: its line, then `:modes blobs status` and a path for each file. */
function filesOf(commit: string): CommittedFile[] {
  const [head = '', ...fields] = commit.split('\0')
  const [seconds, url = ''] = head.trim().split('\t')
  const files: CommittedFile[] = []
  for (const [i, field] of fields.entries()) {
    const [, blob] = /^\s*:\d+ \d+ [0-9a-f]+ ([0-9a-f]+) [AM]$/.exec(field) ?? []
    const path = fields[i + 1]
    if (blob && path) files.push({ path, blob, at: instantOf(Number(seconds) * 1000), url: url.trim() || undefined })
  }
  return files
}

/** Reads blobs of a repository one after another, in one process of Git. */
export class BlobReader implements Disposable {
  readonly #git: ChildProcessByStdio<Writable, Readable, null>
  #buffer: Buffer = Buffer.alloc(0)
  readonly #chunks: AsyncIterator<Buffer>

  constructor(repository: string) {
    this.#git = spawn('git', ['cat-file', '--batch'], { cwd: repository, stdio: ['pipe', 'pipe', 'ignore'] })
    this.#chunks = this.#git.stdout[Symbol.asyncIterator]()
  }

  /** @throws OperatorError when the repository does not have it */
  async read(blob: string): Promise<Buffer> {
    this.#git.stdin.write(`${blob}\n`)
    let end = this.#buffer.indexOf(10)
    while (end < 0) {
      await this.#more()
      end = this.#buffer.indexOf(10)
    }
    const [, type, size] = this.#buffer.subarray(0, end).toString('latin1').split(' ')
    this.#buffer = this.#buffer.subarray(end + 1)
    if (type !== 'blob') throw new OperatorError(`The history does not hold the file ${blob}.`)
    const length = Number(size)
    const parts: Buffer[] = [this.#buffer]
    for (let read = this.#buffer.length; read <= length; read += parts.at(-1)!.length) parts.push(await this.#next())
    const all = Buffer.concat(parts)
    this.#buffer = all.subarray(length + 1)
    return all.subarray(0, length)
  }

  async #more(): Promise<void> {
    this.#buffer = Buffer.concat([this.#buffer, await this.#next()])
  }

  async #next(): Promise<Buffer> {
    const { value, done } = await this.#chunks.next()
    if (done) throw new OperatorError('Git ended while its files were read.')
    return value
  }

  [Symbol.dispose](): void {
    this.#git.kill()
  }
}
