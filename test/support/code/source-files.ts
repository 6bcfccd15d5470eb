import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const ROOT = join(import.meta.dirname, '../../..')

const filesIn = (folders: string[]): string[] =>
  folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts'))
      .map((entry) => relative(ROOT, join(entry.parentPath, entry.name))),
  )

/** The product's own TypeScript files, by their path from the repository's root. */
export const sourceFiles: string[] = filesIn(['src', 'workflows', 'activities'])

/** Those of its tests, benchmarks and tools, and of its client. */
export const otherFiles: string[] = filesIn(['test', 'bench', 'ops', 'clients/typescript/src'])

export const readSource = (file: string): string => readFileSync(join(ROOT, file), 'utf8')

/** The text of a file without its comments. */
export const codeOf = (file: string): string =>
  readSource(file)
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|[^:])\/\/.*$/gm, '$1')

/** `src/lib/sql.ts` → `lib`; `src/main.ts` → `main`; `workflows/check.ts` → `workflows`. */
export function roomOf(file: string): string {
  const [first, second] = file.split('/')
  return (first === 'src' ? second! : first!).replace(/\.ts$/, '')
}

export type Import = { from: string; to: string; typeOnly: boolean; isPackage: boolean }

const STATIC = /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[^;'"]*?\sfrom\s+)?['"]([^'"]+)['"]/g
const DYNAMIC =
  /\bimport\(\s*['"]([^'"]+)['"]\s*\)|new URL\(\s*['"]([^'"]+\.ts)['"]\s*,\s*import\.meta\.url\s*\)|code(?:File|Url)\(\s*import\.meta\.url\s*,\s*['"]([^'"]+)['"]\s*\)/g

/** Everything that a file imports: at its top, while it runs, and as the file of a worker or a process. */
export function importsOf(file: string): Import[] {
  const code = codeOf(file)
  const found = [
    ...[...code.matchAll(STATIC)].map((match) => ({ target: match[2]!, typeOnly: match[1] !== undefined })),
    ...[...code.matchAll(DYNAMIC)].map((match) => ({
      target: match[1] ?? match[2] ?? `${match[3]}.ts`,
      typeOnly: false,
    })),
  ]
  return found.map(({ target, typeOnly }) => {
    const isPackage = !target.startsWith('.')
    return { from: file, to: isPackage ? target : join(dirname(file), target), typeOnly, isPackage }
  })
}
