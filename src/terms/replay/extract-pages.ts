import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256 } from '../../lib/hash.ts'
import type { Isolation } from '../../lib/isolation/isolation.ts'
import { extractorOf } from '../read/extractor-rules.ts'
import { extractPage } from '../read/read-document.ts'
import type { Problem } from '../read/reading.ts'
import { documentOptions, type ExtractedText } from '../schema.ts'
import { pageKey } from './page-key-rules.ts'
import type { RecordedPage } from './recorded-pages.ts'

/** A page whose text differs from the page before it, and how many pages in a row said the same. */
type ReadPage = RecordedPage & { text: ExtractedText | Problem; pages: number }
type ReadPages = { read: ReadPage[]; pages: number; distinct: number; extracted: number }

/** Pages that are read beside each other: two more than there are processes for them. */
const UNDER_WAY = 4

type Tools = { isolation: Isolation; cache?: string; onProgress?: (pages: number, extracted: number) => void }

/**
 * Reads recorded pages as live fetches are read. Pages that differ in nothing that is read are read once; pages in a row
 * with the same text are one. Texts are kept in the cache folder, where one is named.
 */
export async function extractPages(pages: RecordedPage[], tools: Tools): Promise<ReadPages> {
  const known = new Map<string, Promise<ExtractedText | Problem>>()
  const latest = new Map<string, ReadPage>()
  const read: ReadPage[] = []
  const underWay = new Set<Promise<unknown>>()
  let extracted = 0
  const all: { page: RecordedPage; text: Promise<ExtractedText | Problem> }[] = []
  if (tools.cache) await mkdir(tools.cache, { recursive: true })
  for (const [i, page] of pages.entries()) {
    const { bytes, contentType } = await page.read()
    const selectors = documentOptions.parse(page.source.options)
    const { select, remove } = selectors
    const key = `${extractorOf(selectors)}.${pageKey(bytes, select.length + remove.length > 0)}`
    let text = known.get(key)
    if (!text) {
      while (underWay.size >= UNDER_WAY) await Promise.race(underWay)
      text = cached(tools.cache, key, () => {
        extracted++
        return extractPage(tools.isolation, { bytes, contentType, url: page.source.url, selectors })
      })
      known.set(key, text)
      const work = text.finally(() => underWay.delete(work))
      underWay.add(work)
    }
    all.push({ page, text })
    if (i % 500 === 499) tools.onProgress?.(i + 1, extracted)
  }
  for (const { page, text } of all) {
    const before = latest.get(page.source.source)
    const after = { ...page, text: await text, pages: 1 }
    if (before && sameText(before.text, after.text)) before.pages++
    else {
      read.push(after)
      latest.set(page.source.source, after)
    }
  }
  return { read, pages: pages.length, distinct: known.size, extracted }
}

const sameText = (a: ExtractedText | Problem, b: ExtractedText | Problem): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

async function cached(
  folder: string | undefined,
  key: string,
  extract: () => Promise<ExtractedText | Problem>,
): Promise<ExtractedText | Problem> {
  if (!folder) return extract()
  const file = join(folder, `${sha256(key)}.json`)
  const kept = await readFile(file, 'utf8').catch(() => undefined)
  if (kept !== undefined) return JSON.parse(kept) as ExtractedText | Problem
  const text = await extract()
  await writeFile(file, JSON.stringify(text))
  return text
}
