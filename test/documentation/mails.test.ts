import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MAIL_SUBJECTS } from '../../src/lib/text/mail-subjects.ts'

it('every mail that the product can send is listed with who causes it, whom it goes to and how often', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/use/accounts.md'), 'utf8')
  const table = page.slice(page.indexOf('### Every mail'))
  const rows = [...table.slice(0, table.indexOf('\n## ')).matchAll(/^\| (?!Mail |-)(.+) \|$/gm)]
  const cells = rows.map(([, row]) => row!.split(' | '))
  expect(cells.flatMap(([subjects]) => subjects!.split('; ')).sort()).toEqual(Object.values(MAIL_SUBJECTS).sort())
  for (const row of cells) expect(row.filter((cell) => cell.trim() !== '')).toHaveLength(4)
})
