import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Hold } from '../../src/prices/plan/holds/hold.ts'
import { ROOT } from '../run.ts'
import type { GeneratedFile } from './schema.ts'

const FOLDER = 'src/prices/plan/holds'
const PAGE = 'docs/prices.md'
const TABLE = /(?<=\n\| reason \| meaning \| ends \|\n\|---\|---\|---\|\n)(?:\|.*\n)*/

/** The list of all holds, and their table for readers, from the file of each. */
export async function generateHolds(): Promise<GeneratedFile[]> {
  const holds = await readHolds()
  const page = await readFile(join(ROOT, PAGE), 'utf8')
  const rows = holds.map(({ hold: { code, meaning, ends } }) => `| \`${code}\` | ${meaning} | ${endText(ends)} |\n`)
  return [
    { path: `${FOLDER}/index.ts`, text: indexOf(holds) },
    { path: PAGE, text: page.replace(TABLE, () => rows.join('')) },
  ]
}

type NamedHold = { file: string; name: string; hold: Hold }

async function readHolds(): Promise<NamedHold[]> {
  // Each level has a folder. What all holds share is above them.
  const files = (await readdir(join(ROOT, FOLDER), { recursive: true })).filter((file) => /\/.*\.ts$/.test(file))
  const found = await Promise.all(
    files.map(async (file) => {
      const [only, ...more] = Object.entries<Hold>(await import(join(ROOT, FOLDER, file))).filter(
        ([, { code }]) => code,
      )
      if (!only || more.length > 0) throw new Error(`${FOLDER}/${file} has to export one hold`)
      return { file, name: only[0], hold: only[1] }
    }),
  )
  return found.toSorted((a, b) => a.hold.rank - b.hold.rank || (a.hold.code < b.hold.code ? -1 : 1))
}

const indexOf = (holds: NamedHold[]): string =>
  `// Written by "npm run generate" from the folders of the levels, in the order of their ranks.
${holds
  .toSorted((a, b) => (a.file < b.file ? -1 : 1))
  .map(({ file, name }) => `import { ${name} } from './${file}'\n`)
  .join('')}
/** Every reason to hold a price. The first of several names an item to review. */
export const HOLDS = [
${holds.map(({ name }) => `  ${name},\n`).join('')}] as const

export type HoldReason = (typeof HOLDS)[number]['code']
`

function endText(ends: Hold['ends']): string {
  if (ends.by === 'person') return 'by a person'
  if (ends.by === 'evidence') return 'by evidence or a person'
  return ends.days === 1 ? 'in time' : `in time, after ${ends.days} days`
}
