import { describe, expect, it } from 'vitest'
import { extractorOf } from '../../src/terms/read/extractor-rules.ts'
import { chooseVersions } from '../../src/terms/read/version-choice-rules.ts'

/** A document's versions, the newest first. The third was held and never replaced another. */
const third = { versionId: 'c3', previousVersion: 'b2' }
const second = { versionId: 'b2', previousVersion: 'a1' }
const first = { versionId: 'a1', previousVersion: null }
const versions = [third, second, first]

describe('the versions to compare', () => {
  it('are the newest and the one that it replaced when none is named', () => {
    expect(chooseVersions(versions, {})).toEqual({ before: second, after: third })
  })

  it('are a named version and the one that it replaced', () => {
    expect(chooseVersions(versions, { to: 'b2' })).toEqual({ before: first, after: second })
  })

  it('are a named version and the newest', () => {
    expect(chooseVersions(versions, { from: 'a1' })).toEqual({ before: first, after: third })
  })

  it('are both named versions, in the order in which they are named', () => {
    expect(chooseVersions(versions, { from: 'c3', to: 'a1' })).toEqual({ before: third, after: first })
  })

  it('are named in letters of either case', () => {
    expect(chooseVersions(versions, { from: 'A1', to: 'B2' })).toEqual({ before: first, after: second })
  })

  it('are only the first version of a document where it has no other', () => {
    expect(chooseVersions([first], {})).toEqual({ before: undefined, after: first })
  })

  it('are none when a named version is not one of the document, or it has none', () => {
    expect(chooseVersions(versions, { from: 'd4' })).toBeUndefined()
    expect(chooseVersions(versions, { to: 'd4' })).toBeUndefined()
    expect(chooseVersions([], {})).toBeUndefined()
  })
})

describe('the name of what reads the bytes of a document', () => {
  it('has the version of the extractor, and is the same for the same selectors', () => {
    const name = extractorOf({ select: ['main'], remove: ['.newsletter'] })
    expect(name).toMatch(/^\d+\.[0-9a-f]{8}$/)
    expect(extractorOf({ remove: ['.newsletter'], select: ['main'] })).toBe(name)
  })

  it('is another one for other selectors', () => {
    const names = [
      extractorOf({ select: [], remove: [] }),
      extractorOf({ select: ['main'], remove: [] }),
      extractorOf({ select: [], remove: ['main'] }),
      extractorOf({ select: ['main', 'article'], remove: [] }),
    ]
    expect(new Set(names).size).toBe(4)
  })
})
