import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { groupBy } from '../src/lib/collections.ts'
import { type Import, importsOf, roomOf, sourceFiles } from './support/code/source-files.ts'

/**
 * Who may import whom: ARCHITECTURE.md's arrows as a table. A room is a folder or an entry file; what is not listed is
 * forbidden. Dynamic imports and the files of workers and processes count too. `types` may be imported from anywhere named there, as types only.
 */
const ROOMS = [
  'catalog',
  'aliases',
  'prices',
  'terms',
  'events',
  'webhooks',
  'watches',
  'accounts',
  'monitoring',
  'review',
  'audit',
  'evidence',
  'proof',
  'exports',
  'mail',
] as const

const MAY_IMPORT: Record<string, { code: string[]; files?: RegExp; types?: string[] }> = {
  lib: { code: ['lib'] },
  mail: { code: ['lib', 'mail'] },
  catalog: { code: ['lib', 'catalog'] },
  aliases: { code: ['lib', 'aliases', 'catalog', 'events'] },
  events: { code: ['lib', 'events', 'catalog'] },
  prices: { code: ['lib', 'prices', 'catalog', 'aliases', 'events'] },
  terms: { code: ['lib', 'terms', 'catalog', 'events'] },
  review: { code: ['lib', 'mail', 'review', 'catalog', 'prices', 'terms', 'evidence'] },
  // Where a price was read is looked up by what reads it.
  evidence: { code: ['lib', 'evidence', 'catalog', 'collectors', 'prices'] },
  // A proof shows the facts that a row's hash is of.
  proof: { code: ['lib', 'proof', 'catalog', 'prices'] },
  exports: { code: ['lib', 'exports', 'catalog', 'prices', 'proof'] },
  audit: { code: ['lib', 'audit'] },
  accounts: { code: ['lib', 'accounts', 'audit', 'mail'] },
  webhooks: { code: ['lib', 'mail', 'webhooks', 'events', 'accounts', 'catalog', 'aliases'] },
  // A watch is a subscription of one person: it is matched as webhooks are.
  watches: { code: ['lib', 'mail', 'watches', 'accounts', 'aliases', 'audit', 'catalog', 'events', 'webhooks'] },
  monitoring: { code: ['lib', 'monitoring', 'catalog', 'temporal'], types: ['context'] },
  collectors: { code: ['lib', 'collectors', 'catalog', 'prices', 'terms'] },
  collecting: { code: ['lib', 'collecting', 'collectors', 'catalog', 'prices', 'terms'] },
  temporal: { code: ['lib', 'temporal', 'workflows', 'webhooks'], types: ['context', 'workflows'] },
  api: { code: ['lib', 'api', ...ROOMS], types: ['context'] },
  mcp: { code: ['lib', 'mcp', 'clients'] },
  app: { code: ['lib', 'app', ...ROOMS], types: ['api', 'context'] },
  // Runs in the browser: of the server it knows endpoints and what routes take and return, and calls what needs no Node.
  web: { code: ['web', 'lib', 'clients'], files: /^src\/app\/.+\/endpoints\.ts$/, types: ['app'] },
  // Pages for browsers are sent as the answers of the API are.
  pages: { code: ['lib', 'pages', 'api', 'accounts', 'aliases', 'catalog', 'events', 'prices', 'terms', 'watches'] },
  activities: {
    code: ['lib', 'activities', 'collecting', 'temporal', ...ROOMS],
    types: ['context', 'workflows'],
  },
  workflows: { code: ['workflows', ...ROOMS], types: ['activities', 'collecting', 'lib'] },
  // Entry points put the rooms together. Nothing but another entry point imports them.
  main: { code: ['cli', 'embedded', 'lib', 'roles'] },
  context: { code: ['lib', 'mail', 'temporal'], types: ['monitoring'] },
  server: { code: ['api', 'app', 'pages', 'web', 'lib', 'accounts'], types: ['context', 'webhooks'] },
  worker: { code: ['activities', 'temporal', 'webhooks', 'lib'], types: ['context'] },
  roles: { code: ['roles', 'pages', 'server', 'worker', 'context', 'temporal', 'lib', 'collectors', ...ROOMS] },
  embedded: { code: ['embedded', 'main', 'pages', 'temporal', 'lib', 'collectors', ...ROOMS], types: ['roles'] },
  cli: {
    code: ['cli', 'embedded', 'temporal', 'lib', 'collecting', 'collectors', 'mcp', 'clients', ...ROOMS],
    types: ['workflows', 'roles'],
  },
}

const ROOT = join(import.meta.dirname, '..')
const files = sourceFiles
const imports = files.flatMap(importsOf)
const own = imports.filter((item) => !item.isPackage)
const show = (items: Import[]) => items.map((item) => `${item.from} → ${item.to}`)

describe('the import map', () => {
  for (const [room, may] of Object.entries(MAY_IMPORT)) {
    it(`${room} imports only ${may.code.join(', ')}${may.types ? `, and types of ${may.types.join(', ')}` : ''}`, () => {
      const wrong = own.filter((item) => {
        if (roomOf(item.from) !== room) return false
        const target = roomOf(item.to)
        return (
          !may.code.includes(target) && !may.files?.test(item.to) && !(item.typeOnly && may.types?.includes(target))
        )
      })
      expect(show(wrong)).toEqual([])
    })
  }

  it('knows every room there is', () => {
    const rooms = new Set(files.map(roomOf))
    expect([...rooms].filter((room) => !(room in MAY_IMPORT))).toEqual([])
  })

  it('workflows touch only what replays: the workflow SDK and the rooms’ schemas, rules and payload types', () => {
    const wrong = imports.filter((item) => {
      if (!item.from.startsWith('workflows/') || item.typeOnly) return false
      if (item.isPackage) return !/^@temporalio\/(workflow|common)$/.test(item.to)
      return !item.to.startsWith('workflows/') && !/(^|[/-])(schema|rules)\.ts$/.test(item.to)
    })
    expect(show(wrong)).toEqual([])
  })

  it('collectors never write: no store, no SQL', () => {
    const wrong = own.filter((item) => item.from.startsWith('src/collectors/') && /store\.ts$|lib\/sql/.test(item.to))
    expect(show(wrong.filter((item) => !item.typeOnly))).toEqual([])
  })

  it('routes, commands and activities call use cases: none of them imports a store', () => {
    const wrong = own.filter(
      (item) => /^(src\/(api|app|cli)|activities)\//.test(item.from) && /store\.ts$/.test(item.to),
    )
    expect(show(wrong)).toEqual([])
  })

  it('outbound HTTP goes through lib/safe-fetch', () => {
    const wrong = imports.filter(
      (item) =>
        /^(undici|node:https?|node:net|node:tls)$/.test(item.to) && !ALLOWED_SOCKETS.test(item.from) && !item.typeOnly,
    )
    expect(show(wrong)).toEqual([])
  })

  it('SQL is written in stores', async () => {
    const wrong = []
    for (const file of files) {
      if (
        /store\.ts$|^src\/lib\/(sql\.ts$|postgres\/(migrate|stored-functions|database)\.ts$)|^src\/embedded\//.test(
          file,
        )
      )
        continue
      const text = await readFile(join(ROOT, file), 'utf8')
      if (/\b(sql|tx|db)(<[^`]*>)?`/.test(text)) wrong.push(file)
    }
    expect(wrong).toEqual([])
  })

  it('the environment is read by the entry points for config, and where it is handed to other programs', async () => {
    const wrong = []
    for (const file of files) {
      if (/^src\/(main|cli\/|embedded\/process\/environment)/.test(file)) continue
      const text = await readFile(join(ROOT, file), 'utf8')
      if (/process\.env/.test(text)) wrong.push(file)
    }
    expect(wrong).toEqual([])
  })

  it('a part of a page is loaded by lazyPart, so that the page stays where it cannot be loaded', async () => {
    const wrong = []
    for (const file of files) {
      if (!file.startsWith('src/web/') || file === 'src/web/components/loading/lazy-part.ts') continue
      const text = await readFile(join(ROOT, file), 'utf8')
      if (/\blazy\(/.test(text)) wrong.push(file)
    }
    expect(wrong).toEqual([])
  })
})

/** Sockets that are not outbound HTTP of the product: the hardened client itself, a pipe to a process, and looking for a free port. */
const ALLOWED_SOCKETS =
  /^src\/(lib\/(safe-fetch|isolation)\/|lib\/ports|embedded\/|cli\/webhooks\/receiver|api\/serving\/connections|monitoring\/serve-monitoring)/

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

describe('the size of folders', () => {
  it('lets a reader see what there is: at most 20 files', () => {
    const listed = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT })
    const present = [...new Set(String(listed).split('\0'))].filter((file) => file && existsSync(join(ROOT, file)))
    expect(present.length).toBeGreaterThan(2_500)
    const large = [...groupBy(present, dirname)]
      .filter(([, inside]) => inside.length > 20)
      .map(([folder, inside]) => `${folder}: ${inside.length}`)
    expect(large).toEqual([])
  })
})
