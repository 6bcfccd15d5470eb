import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Contract } from '../../src/app/contract.ts'
import { APP_ROUTES } from '../../src/app/routes.ts'
import { ROOT } from '../run.ts'
import type { GeneratedFile } from './schema.ts'

const PAGE = 'docs/use/accounts.md'
const LIST = /^- \*\*everyone\*\*[\s\S]*?(?=\n\n)/m
const LINE_CHARACTERS = 140
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Who may use a route, in the words of the page, by what its contract says. */
const READERS: [string, Contract['access'][]][] = [
  ['**everyone**', ['public', 'visitor']],
  ['**signed in**', ['session']],
  ['**signed in**, and everyone where pages are public', ['reader']],
  ['**members**', ['member']],
  ['**admins**', ['admin']],
  ['**operators**', ['operator']],
]

/** The routes of the app by who may use them, for readers. */
export async function generateRoutesList(): Promise<GeneratedFile> {
  const page = await readFile(join(ROOT, PAGE), 'utf8')
  const lists = READERS.map(([who, access]) => wrapped(`- ${who}: ${routesFor(access).join(', ')}`))
  return { path: PAGE, text: page.replace(LIST, () => lists.join('\n')) }
}

/** `GET, POST /v1/keys`: the methods of a path are one entry. */
function routesFor(access: Contract['access'][]): string[] {
  const ofPath = new Map<string, string[]>()
  for (const { contract } of APP_ROUTES) {
    if (!access.includes(contract.access)) continue
    const path = contract.path.replace(/:(\w+)/g, '{$1}')
    ofPath.set(path, [...(ofPath.get(path) ?? []), contract.method])
  }
  const paths = [...ofPath].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return paths.map(([path, methods]) => `\`${METHODS.filter((one) => methods.includes(one)).join(', ')} ${path}\``)
}

/** Breaks between entries. */
function wrapped(text: string): string {
  const lines = ['']
  for (const part of text.split(/(?<=,) (?=`)|(?<=:) (?=`)/)) {
    const line = lines.at(-1)!
    if (line === '') lines[lines.length - 1] = part
    else if (line.length + 1 + part.length <= LINE_CHARACTERS) lines[lines.length - 1] = `${line} ${part}`
    else lines.push(`  ${part}`)
  }
  return lines.join('\n')
}
