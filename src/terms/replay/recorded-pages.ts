import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type SourceDeclaration, sourceDeclaration } from '../../catalog/schema.ts'
import { OperatorError } from '../../lib/errors.ts'
import type { Instant } from '../../lib/instant.ts'
import { wrongLines } from '../../lib/zod-problem.ts'
import { BlobReader, committedFiles } from './git-history.ts'
import { contentTypeOf, readRecording, readRecordings, sourceOf } from './recorded-documents.ts'
import { type DeclaredDocument, selectorsFor } from './selectors-for-rules.ts'

/** One fetch of a page. `read` returns its bytes. */
export type RecordedPage = {
  source: SourceDeclaration
  file: string
  at: Instant
  seq: number
  read: () => Promise<{ bytes: Uint8Array; contentType?: string }>
}
export type PageFilter = { documents?: RegExp; since?: Instant; until?: Instant; declared?: DeclaredDocument[] }
export type RecordedPages = Disposable & { pages: RecordedPage[] }

/**
 * Returns the recorded pages of a Git history, where each commit is a fetch of `Service/Document.html`
 * (or of `Service/Document/Part.html`), or of a folder with a
 * `manifest.json`; the oldest first. Selectors come from declarations of the same address or site.
 * @throws OperatorError
 */
export async function recordedPages(path: string, filter: PageFilter = {}): Promise<RecordedPages> {
  const isFolder = await stat(join(path, 'manifest.json')).then(
    () => true,
    () => false,
  )
  const { pages, dispose } = isFolder ? await pagesOfFolder(path, filter) : await pagesOfHistory(path, filter)
  const { documents, since = '', until = '9' } = filter
  const chosen = pages.filter(
    ({ source, file, at }) =>
      at >= since && at < until && (!documents || documents.test(file) || documents.test(source.source)),
  )
  if (chosen.length === 0) throw new OperatorError(`There are no such pages in ${path}.`)
  return { pages: chosen, [Symbol.dispose]: dispose }
}

type OpenPages = { pages: RecordedPage[]; dispose: () => void }

async function pagesOfFolder(folder: string, { declared = [] }: PageFilter): Promise<OpenPages> {
  const listed = await readRecordings(folder)
  const pages = listed.map((page) => ({
    ...page,
    source: withSelectors(page.source, page.url, declared),
    read: () => readRecording(folder, page.file),
  }))
  return { pages, dispose: () => {} }
}

async function pagesOfHistory(repository: string, { declared = [] }: PageFilter): Promise<OpenPages> {
  const files = (await committedFiles(repository)).filter(({ path }) =>
    /^[^/.][^/]*\/.+\.(?:html?|pdf|md|txt)$/.test(path),
  )
  // A document keeps the declaration of the address it had last.
  const urls = new Map(files.map(({ path, url }) => [path, url]))
  const sources = new Map(
    [...urls].map(([path, url]) => [path, withSelectors(sourceOf(path.replace(/\.\w+$/, '')), url, declared)]),
  )
  const reader = new BlobReader(repository)
  const pages = files.map(({ path, blob, at }, seq) => ({
    source: sources.get(path)!,
    file: path,
    at,
    seq,
    read: async () => ({ bytes: await reader.read(blob), contentType: contentTypeOf(path) }),
  }))
  return {
    pages: pages.sort((a, b) => (a.at === b.at ? a.seq - b.seq : a.at < b.at ? -1 : 1)),
    dispose: () => reader[Symbol.dispose](),
  }
}

function withSelectors(
  source: SourceDeclaration,
  url: string | undefined,
  declared: DeclaredDocument[],
): SourceDeclaration {
  const options = { ...source.options, ...(url ? selectorsFor(url, declared) : {}) }
  return sourceDeclaration.parse({ ...source, url: url ?? source.url, options })
}

const declarations = z.preprocess(
  (listed) => (Array.isArray(listed) ? { sources: listed } : listed),
  z.object({ sources: z.array(sourceDeclaration) }),
)

/** Returns the documents that a file declares, with their selectors. @throws OperatorError */
export async function readDeclared(file: string): Promise<DeclaredDocument[]> {
  const listed = await readFile(file, 'utf8')
    .then((text): unknown => JSON.parse(text))
    .catch((cause: Error) => {
      throw new OperatorError(`The declarations in ${file} cannot be read: ${cause.message}.`, { cause })
    })
  const { data, error } = declarations.safeParse(listed)
  if (error)
    throw new OperatorError(
      `The declarations in ${file} need fixing:\n${wrongLines(error)
        .map((line) => `  ${line}`)
        .join('\n')}`,
    )
  return data.sources.map(({ url, options }) => {
    const { select, remove } = options as { select?: string[]; remove?: string[] }
    return { url: url ?? '', selectors: { select: select ?? [], remove: remove ?? [] } }
  })
}
