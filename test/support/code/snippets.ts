import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')

/** A fenced block of a page. */
export type Snippet = { page: string; language: string; text: string }

/** The pages that people read: the README, `docs` and the clients' own. Decisions are a record, not instructions. */
export async function pages(): Promise<string[]> {
  const docs = (await readdir(join(ROOT, 'docs'), { recursive: true })).filter(
    (name) => name.endsWith('.md') && !name.startsWith('decisions/'),
  )
  return [
    'README.md',
    ...docs.sort().map((name) => `docs/${name}`),
    'clients/typescript/README.md',
    'clients/python/README.md',
  ]
}

export const readPage = (page: string): Promise<string> => readFile(join(ROOT, page), 'utf8')

export async function snippetsOf(page: string): Promise<Snippet[]> {
  const text = await readPage(page)
  return [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(([, language, block]) => ({
    page,
    language: language!,
    text: block!,
  }))
}

/** The one block of a page that holds a text. @throws where there is none, or more than one */
export async function snippet(page: string, holding: string): Promise<string> {
  const found = (await snippetsOf(page)).filter(({ text }) => text.includes(holding))
  if (found.length !== 1) throw new Error(`${found.length} blocks of ${page} hold: ${holding}`)
  return found[0]!.text
}
