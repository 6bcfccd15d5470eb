import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

describe('the documentation for receivers', () => {
  test.each([
    ['ts', 'examples/receivers/typescript/receiver.ts'],
    ['python', 'examples/receivers/python/receiver.py'],
    ['go', 'examples/receivers/go/main.go'],
  ])('the %s in the documentation is the example that is run', async (language, path) => {
    const page = await read('docs/receiving-webhooks.md')
    const blocks = [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
      (match) => match[1],
    )
    expect(blocks.length).toBeGreaterThan(0)
    const source = await read(path)
    for (const block of blocks) expect(source).toContain(block)
  })
})
