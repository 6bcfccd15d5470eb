import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import { z } from 'zod'
import { type SourceDeclaration, sourceDeclaration } from '../../catalog/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import { sha256 } from '../../lib/hash.ts'
import { type Instant, parseInstant } from '../../lib/instant.ts'
import { DOCUMENT_FORMAT, DOCUMENT_INTERVAL_MS } from '../schema.ts'

const entry = z.object({
  document: z.string().optional(),
  file: z.string(),
  recordedAt: z.string().optional(),
  committedAt: z.string().optional(),
  url: z.string().optional(),
})

/** One text of a recorded history; `seq` is its position in the manifest. */
export type RecordedText = { source: SourceDeclaration; file: string; at: Instant; seq: number; url?: string }

const CONTENT_TYPES: Record<string, string> = {
  md: 'text/markdown',
  html: 'text/html',
  htm: 'text/html',
  txt: 'text/plain',
  pdf: 'application/pdf',
}

/**
 * Returns the texts that a folder's manifest lists, the oldest first.
 * @throws OperatorError when the manifest is absent or cannot be read
 */
export async function readRecordings(folder: string): Promise<RecordedText[]> {
  const text = await readFile(join(folder, 'manifest.json'), 'utf8').catch(() => {
    throw new OperatorError(`There is no manifest.json in ${folder}.`)
  })
  const entries = z.array(entry).min(1).safeParse(JSON.parse(text))
  if (!entries.success) throw new OperatorError(`${folder}/manifest.json is not a list of snapshots.`)
  const snapshots = entries.data.map((listed, seq) => {
    const at = parseInstant(listed.recordedAt ?? listed.committedAt ?? '')
    if (!at) throw new OperatorError(`${listed.file} in ${folder}/manifest.json has no recordedAt or committedAt.`)
    return {
      source: sourceOf(listed.document ?? listed.file.split('/')[0]!),
      file: listed.file,
      at,
      seq,
      url: listed.url,
    }
  })
  return snapshots.sort((a, b) => (a.at === b.at ? a.seq - b.seq : a.at < b.at ? -1 : 1))
}

const LONGEST_NAME = 64
/** Long names differ in their last words, and those are cut off. */
const HASH_CHARACTERS = 8

function slugOf(name: string): string {
  const slug = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
  if (slug.length <= LONGEST_NAME) return slug
  return `${slug.slice(0, LONGEST_NAME - HASH_CHARACTERS - 1)}-${sha256(name).slice(0, HASH_CHARACTERS)}`
}

/** `Service/Document` or `Service/Document/Part`, as the histories name them. */
export function sourceOf(name: string): SourceDeclaration {
  const [, service = 'replay', document = name] = /^([^/]*)\/(.*)$/s.exec(name) ?? []
  const options = { provider: slugOf(service), providerName: service, document: slugOf(document), title: document }
  return sourceDeclaration.parse({
    source: slugOf(name),
    format: DOCUMENT_FORMAT,
    url: `https://example.com/${slugOf(name)}.md`,
    intervalSeconds: DOCUMENT_INTERVAL_MS / 1000,
    options,
  })
}

/** The content type that the name of a recorded file says. */
export const contentTypeOf = (file: string): string | undefined =>
  CONTENT_TYPES[file.replace(/\.gz$/, '').split('.').at(-1) ?? '']

/** Returns one recorded text, unpacked, with the content type that its name says. */
export async function readRecording(
  folder: string,
  file: string,
): Promise<{ bytes: Uint8Array; contentType?: string }> {
  const bytes = await readFile(join(folder, file))
  const contentType = contentTypeOf(file)
  return { bytes: file.endsWith('.gz') ? await promisify(gunzip)(bytes) : bytes, contentType }
}
