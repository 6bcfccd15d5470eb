import { expect, it } from 'vitest'
import { GROUPS } from '../../src/cli/groups.ts'
import { pages, readPage } from '../support/code/snippets.ts'

it('every command is named on a page', async () => {
  const text = (await Promise.all((await pages()).map(readPage))).join('\n')
  const missing: string[] = []
  for (const [name, load] of Object.entries(GROUPS)) {
    const group = await load()
    const commands = group.commands.length > 0 ? group.commands.map((one) => one.name()) : ['']
    for (const command of commands) {
      // `webhook list | show ID` names both.
      const named = new RegExp(command ? `\\b${name} ([^\`\\n]* \\| )?${command}\\b` : `npx pricetape ${name}\\b`)
      if (!named.test(text)) missing.push(`${name} ${command}`.trim())
    }
  }
  expect(missing).toEqual([])
})
