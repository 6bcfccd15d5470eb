import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import { OperatorError } from '../../lib/errors.ts'
import { type Instant, parseInstant } from '../../lib/instant.ts'

const entry = z.object({ file: z.string(), committedAt: z.string().optional(), recordedAt: z.string().optional() })

export type ListedSnapshot = { file: string; at: Instant }

/** The snapshots a folder's manifest.json lists, oldest first. @throws OperatorError */
export async function readManifest(folder: string): Promise<ListedSnapshot[]> {
  const path = join(folder, 'manifest.json')
  const text = await readFile(path, 'utf8').catch(() => {
    throw new OperatorError(`There is no manifest.json in ${folder}: name the folder that has one.`)
  })
  const list = z.array(entry).min(1).safeParse(readJson(text, path))
  if (!list.success) throw new OperatorError(`${path} is not a list of {file, committedAt or recordedAt}.`)
  const snapshots = list.data.map(({ file, recordedAt, committedAt }) => {
    const at = instantIn(recordedAt ?? committedAt ?? '')
    if (!at) throw new OperatorError(`${file} has no recordedAt or committedAt in ${path}, or not an instant.`)
    return { file, at }
  })
  return snapshots.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

/** An instant as manifests write it: RFC 3339, as Git prints it (`2026-01-02 03:04:05 -0500`), or a day. */
function instantIn(text: string): Instant | undefined {
  const written = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:?\d\d)?)?$/i.exec(text.trim())
  if (!written) return undefined
  const [, day, time = '00:00', zone = 'Z'] = written
  const full = time.length === 5 ? `${time}:00` : time
  return parseInstant(`${day}T${full}${zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2')}`)
}

function readJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new OperatorError(`${path} is not JSON.`)
  }
}

/** The bytes of each snapshot, unpacked where it is gzip. */
export async function* readSnapshots(folder: string, listed: ListedSnapshot[]) {
  for (const { file, at } of listed) {
    const packed = await readFile(join(folder, file)).catch(() => {
      throw new OperatorError(`${file}, which manifest.json lists, is not in ${folder}.`)
    })
    const isGzip = packed[0] === 0x1f && packed[1] === 0x8b
    // What cannot be unpacked is passed on as it is: its parser refuses it, and the replay goes on.
    yield { file, at, bytes: isGzip ? await promisify(gunzip)(packed).catch(() => packed) : packed }
  }
}
