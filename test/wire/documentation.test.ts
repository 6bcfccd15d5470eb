import { readdir, readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { EVENT_VERSIONS } from '../../src/events/schema.ts'

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')

/** Values, not names of fields, that the table of event types mentions. */
const VALUES = new Set(['withdrawn', 'restored'])

describe('the documentation for receivers', () => {
  test.each([
    ['ts', 'examples/receivers/typescript/receiver.ts'],
    ['python', 'examples/receivers/python/receiver.py'],
    ['go', 'examples/receivers/go/main.go'],
  ])('the %s in the documentation is the example that is run', async (language, path) => {
    const page = await read('docs/use/receiving-webhooks.md')
    const blocks = [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
      (match) => match[1],
    )
    expect(blocks.length).toBeGreaterThan(0)
    const source = await read(path)
    for (const block of blocks) expect(source).toContain(block)
  })

  test('the table of event types names each with its version, and fields that its body has', async () => {
    const page = await read('docs/use/receiving-webhooks.md')
    const rows = new Map(
      [...page.matchAll(/^\| `([a-z_.]+)` \| `([a-z0-9.-]+)` \| (.+) \|$/gm)].map(([, type, version, says]) => [
        type!,
        { version, says: says! },
      ]),
    )
    expect(Object.fromEntries([...rows].map(([type, { version }]) => [type, version]))).toEqual(EVENT_VERSIONS)
    const files = await readdir(new URL('../goldens/events', import.meta.url))
    for (const [type, { version, says }] of rows) {
      const bodies = await Promise.all(
        files
          .filter((name) => name.startsWith(type))
          .map(async (name) => JSON.parse(await read(`test/goldens/events/${name}`))),
      )
      expect([...new Set(bodies.map((body) => body.version))]).toEqual([version])
      const fields = new Set(bodies.flatMap((body) => Object.keys(body)))
      const named = [...says.matchAll(/`(\w+)`/g)].map(([, field]) => field!)
      expect([type, named.filter((field) => !fields.has(field) && !VALUES.has(field))]).toEqual([type, []])
    }
  })
})
