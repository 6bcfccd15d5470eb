import { describe, expect, it } from 'vitest'
import { codeOf, importsOf, sourceFiles } from './support/code/source-files.ts'

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
