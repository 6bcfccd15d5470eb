import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

/**
 * Who may import whom: ARCHITECTURE.md's arrows as a table. A place is a folder (or an entry file); what is not listed
 * is forbidden. `types` may be imported from anywhere named there, as types only.
 */
const ROOMS = ['catalog', 'aliases', 'prices', 'terms', 'events', 'webhooks', 'accounts'] as const
const ENTRIES = ['main', 'context', 'server', 'worker', 'cli', 'embedded', 'roles']

const MAY_IMPORT: Record<string, { code: string[]; types?: string[] }> = {
  lib: { code: ['lib'] },
  catalog: { code: ['lib', 'catalog'] },
  aliases: { code: ['lib', 'aliases', 'catalog', 'events'] },
  events: { code: ['lib', 'events', 'catalog', 'prices', 'terms'] },
  prices: { code: ['lib', 'prices', 'catalog', 'aliases', 'events'] },
  terms: { code: ['lib', 'terms', 'catalog', 'events'] },
  accounts: { code: ['lib', 'accounts'] },
  webhooks: { code: ['lib', 'webhooks', 'events', 'accounts', 'catalog', 'aliases'] },
  collectors: { code: ['lib', 'collectors', 'catalog', 'prices', 'terms'] },
  collecting: { code: ['lib', 'collecting', 'collectors', 'catalog', 'prices', 'terms'] },
  temporal: { code: ['lib', 'temporal', 'workflows', 'webhooks'], types: ['context', 'workflows'] },
  api: { code: ['lib', 'api', ...ROOMS], types: ['context'] },
  app: { code: ['lib', 'app', ...ROOMS], types: ['context'] },
  activities: { code: ['lib', 'activities', 'collecting', 'temporal', ...ROOMS], types: ['context', 'workflows'] },
  workflows: { code: ['workflows', ...ROOMS], types: ['activities', 'collecting', 'lib'] },
}

type Import = { from: string; to: string; typeOnly: boolean; packageName?: string }

const ROOT = join(import.meta.dirname, '..')

async function sources(folder: string): Promise<string[]> {
  const entries = await readdir(join(ROOT, folder), { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
}

/** `src/lib/sql.ts` → `lib`; `src/main.ts` → `main`; `workflows/check.ts` → `workflows`. */
function placeOf(file: string): string {
  const parts = file.split('/')
  const place = parts[0] === 'src' ? parts[1]! : parts[0]!
  return place.replace(/\.ts$/, '')
}

async function importsOf(file: string): Promise<Import[]> {
  const text = await readFile(join(ROOT, file), 'utf8')
  const pattern =
    /(?:^|\n)\s*(import|export)\s+(type\s+)?([^;'"]*?from\s+)?['"]([^'"]+)['"]|import\(\s*['"]([^'"]+)['"]\s*\)/g
  return [...text.matchAll(pattern)].map((match) => {
    const target = match[4] ?? match[5]!
    const typeOnly = Boolean(match[2])
    if (!target.startsWith('.')) return { from: file, to: target, typeOnly, packageName: target }
    return { from: file, to: relative(ROOT, join(ROOT, dirname(file), target)), typeOnly }
  })
}

const files = [...(await sources('src')), ...(await sources('workflows')), ...(await sources('activities'))]
const imports = (await Promise.all(files.map(importsOf))).flat()
const own = imports.filter((item) => !item.packageName)
const show = (items: Import[]) => items.map((item) => `${item.from} → ${item.to}`)

describe('the import map', () => {
  for (const [place, may] of Object.entries(MAY_IMPORT)) {
    it(`${place} imports only ${may.code.join(', ')}${may.types ? `, and types of ${may.types.join(', ')}` : ''}`, () => {
      const wrong = own.filter((item) => {
        if (placeOf(item.from) !== place) return false
        const target = placeOf(item.to)
        return !may.code.includes(target) && !(item.typeOnly && may.types?.includes(target))
      })
      expect(show(wrong)).toEqual([])
    })
  }

  it('knows every place there is', () => {
    const places = new Set(files.map(placeOf))
    expect([...places].filter((place) => !(place in MAY_IMPORT) && !ENTRIES.includes(place))).toEqual([])
  })

  it('workflows touch only what replays: the workflow SDK and the rooms’ schemas, rules and payload types', () => {
    const wrong = imports.filter((item) => {
      if (!item.from.startsWith('workflows/') || item.typeOnly) return false
      if (item.packageName) return !/^@temporalio\/(workflow|common)$/.test(item.packageName)
      return !item.to.startsWith('workflows/') && !/(^|[/-])(schema|rules)\.ts$/.test(item.to)
    })
    expect(show(wrong)).toEqual([])
  })

  it('rules decide without input or output: they import schemas, rules and lib only', () => {
    const IO = /^(node:(?!crypto|util|buffer|url)|postgres$|undici|fastify|@temporalio|pino)/
    const wrong = imports.filter((item) => {
      if (!/(^|[/-])rules\.ts$/.test(item.from)) return false
      if (item.packageName) return !item.typeOnly && IO.test(item.packageName)
      return !item.typeOnly && /store\.ts$|safe-fetch\/(?!check-url)|lib\/sql/.test(item.to)
    })
    expect(show(wrong)).toEqual([])
  })

  it('collectors never write: no store, no SQL', () => {
    const wrong = own.filter((item) => item.from.startsWith('src/collectors/') && /store\.ts$|lib\/sql/.test(item.to))
    expect(show(wrong.filter((item) => !item.typeOnly))).toEqual([])
  })

  it('outbound HTTP goes through lib/safe-fetch', () => {
    const wrong = imports.filter(
      (item) =>
        /^(undici|node:https?|node:net|node:tls)$/.test(item.packageName ?? '') &&
        !ALLOWED_SOCKETS.test(item.from) &&
        !item.typeOnly,
    )
    expect(show(wrong)).toEqual([])
  })

  it('SQL stands in stores', async () => {
    const wrong = []
    for (const file of files) {
      if (/store\.ts$|^src\/lib\/(migrate|sql|database)\.ts$|^src\/embedded\//.test(file)) continue
      const text = await readFile(join(ROOT, file), 'utf8')
      if (/\b(sql|tx|db)(<[^`]*>)?`/.test(text)) wrong.push(file)
    }
    expect(wrong).toEqual([])
  })

  it('the environment is read by the entry points and handed to config', async () => {
    const wrong = []
    for (const file of files) {
      if (/^src\/(main|cli\/|embedded\/)/.test(file)) continue
      const text = await readFile(join(ROOT, file), 'utf8')
      if (/process\.env/.test(text)) wrong.push(file)
    }
    expect(wrong).toEqual([])
  })
})

/** Sockets that are not outbound HTTP of the product: the hardened client itself, a pipe to a process, and looking for a free port. */
const ALLOWED_SOCKETS = /^src\/(lib\/(safe-fetch|isolation)\/|embedded\/|cli\/receiver|api\/connections)/

describe('the size of files', () => {
  it('stays readable: none over 300 lines, the median at most 60', async () => {
    const sizes = await Promise.all(
      files.map(async (file) => ({ file, lines: (await readFile(join(ROOT, file), 'utf8')).split('\n').length })),
    )
    expect(sizes.filter((item) => item.lines > 301)).toEqual([])
    const sorted = sizes.map((item) => item.lines).sort((a, b) => a - b)
    expect(sorted[Math.floor(sorted.length / 2)]).toBeLessThanOrEqual(61)
  })
})
