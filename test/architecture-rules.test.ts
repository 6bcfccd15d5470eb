import { describe, expect, it } from 'vitest'
import { codeOf, importsOf, otherFiles, sourceFiles } from './support/code/source-files.ts'

const rules = sourceFiles.filter((file) => /(^|[/-])rules\.ts$/.test(file))

const filesWith = (pattern: RegExp) => rules.filter((file) => pattern.test(codeOf(file)))

describe('rules', () => {
  it('keep no state between calls: nothing at the top of a module can change', () => {
    const variable = /^(?:export )?(?:let|var) /m
    const emptyCollection =
      /^(?:export )?const \w+(?::[^=\n]+)? = (?:new (?:Map|Set|WeakMap|WeakSet)(?:<.*>)?\(\)|\[\])/m
    expect([...filesWith(variable), ...filesWith(emptyCollection)]).toEqual([])
  })

  it('read no clock', () => {
    expect(filesWith(/\bDate\.now\b|\bnew Date\(\s*\)|\bperformance\.|\bprocess\.hrtime\b/)).toEqual([])
  })

  it('use no randomness', () => {
    const random = /\bMath\.random\b|\brandom(?:UUID|Bytes|Int|FillSync)\b|\bgetRandomValues\b|\bv7\(/
    expect(filesWith(random)).toEqual([])
  })

  it('reach neither the network nor files nor the database', () => {
    const io =
      /^(?:node:(?!crypto$|util$|buffer$|url$|querystring$)|postgres$|undici|fastify|@temporalio|pino|playwright)/
    const wrong = rules.flatMap(importsOf).filter(({ to, typeOnly, isPackage }) => {
      if (typeOnly) return false
      return isPackage
        ? io.test(to)
        : /store\.ts$|lib\/(?:sql|database|migrate|stored-functions)\.ts$|safe-fetch\/(?!check-url)/.test(to)
    })
    expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
    expect(filesWith(/\bfetch\(|\bprocess\.(?:env|stdout|stderr)\b/)).toEqual([])
  })
})

describe('types', () => {
  const REGULAR = /^(?!.*(?:Feed|Speed|Need|Seed|Bed)$)[A-Z][a-z]+ed$/
  const IRREGULAR = new Set(
    (
      'Begun Bought Bound Broken Brought Built Caught Chosen Cut Done Drawn Felt Found Given Gone Grown Heard Held Hidden ' +
      'Kept Known Led Left Lost Made Meant Met Paid Put Read Said Seen Sent Shown Sold Spent Split Taken Thought Thrown ' +
      'Told Won Written'
    ).split(' '),
  )
  const lastWord = (name: string) => name.match(/[A-Z][a-z0-9]*/g)?.at(-1) ?? name
  const isParticiple = (name: string) => REGULAR.test(lastWord(name)) || IRREGULAR.has(lastWord(name))
  const DECLARATION = /^\s*(?:export )?(?:declare )?(?:abstract )?(?:type|interface|class) ([A-Z]\w*)/gm
  /** Public names of the client: its events are called as the API calls them. */
  const PUBLIC = ['clients/typescript/src/events.ts', 'clients/typescript/src/cost/types.ts: Unpriced']

  it('are distinguished from participles by their last word', () => {
    const names = ['Wanted', 'PortTaken', 'CatalogFound', 'StagedSnapshot', 'ReadResult', 'AlertFeed']
    expect(names.filter(isParticiple)).toEqual(['Wanted', 'PortTaken', 'CatalogFound'])
  })

  it('are nouns: no name ends in a participle', () => {
    const named = [...sourceFiles, ...otherFiles].flatMap((file) =>
      [...codeOf(file).matchAll(DECLARATION)].map(([, name]) => ({ file, name: name! })),
    )
    expect(named.length).toBeGreaterThan(2_000)
    const wrong = named.filter(({ name }) => isParticiple(name)).map(({ file, name }) => `${file}: ${name}`)
    expect(wrong.filter((one) => !PUBLIC.some((name) => one.startsWith(name)))).toEqual([])
  })
})
