import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import { OperatorError } from '../lib/errors.ts'
import { type Instant, parseInstant } from '../lib/instant.ts'

const entry = z.object({ file: z.string(), committedAt: z.string().optional(), recordedAt: z.string().optional() })

export type ListedSnapshot = { file: string; at: Instant }

/** The snapshots a folder's manifest.json lists, oldest first. @throws OperatorError */
export async function readManifest(folder: string): Promise<ListedSnapshot[]> {
  const place = join(folder, 'manifest.json')
  const text = await readFile(place, 'utf8').catch(() => {
    throw new OperatorError(`There is no manifest.json in ${folder}: name the folder that has one.`)
  })
  const list = z.array(entry).min(1).safeParse(readJson(text, place))
  if (!list.success) throw new OperatorError(`${place} is not a list of {file, committedAt or recordedAt}.`)
  const snapshots = list.data.map((one) => {
    const at = parseInstant(one.recordedAt ?? one.committedAt ?? '')
    if (!at) throw new OperatorError(`${one.file} has no recordedAt or committedAt in ${place}, or not an instant.`)
    return { file: one.file, at }
  })
  return snapshots.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

function readJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new OperatorError(`${place} is not JSON.`)
  }
}

/** The bytes of each snapshot, unpacked where it is gzip. */
export async function* readSnapshots(folder: string, listed: ListedSnapshot[]) {
  for (const { file, at } of listed) {
    const packed = await readFile(join(folder, file)).catch(() => {
      throw new OperatorError(`${file}, which manifest.json lists, is not in ${folder}.`)
    })
    const isGzip = packed[0] === 0x1f && packed[1] === 0x8b
    yield { file, at, bytes: isGzip ? await promisify(gunzip)(packed) : packed }
  }
}
