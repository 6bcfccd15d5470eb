import { describe, expect, it } from 'vitest'
import { oneName } from '../../../src/prices/authority/one-name-rules.ts'

describe('one name of a model', () => {
  const provider = 'acme'
  const named = (...names: string[]) => names.map((resource) => ({ provider, resource }))
  const kept = new Set([provider])

  it('is the one that other sources list', () => {
    expect(oneName(named('Claude-4.5'), { elsewhere: named('claude-4-5'), own: [], kept })).toEqual({
      respelled: [{ provider, from: 'Claude-4.5', to: 'claude-4-5' }],
      second: [],
    })
  })

  it('is read once, however often a list has it: the shortest of new ones', () => {
    const listed = named('accounts/fireworks/models/glm-4p7', 'glm-4p7', 'glm-4.7')
    expect(oneName(listed, { elsewhere: [], own: [], kept })).toEqual({
      respelled: [],
      second: named('glm-4p7', 'accounts/fireworks/models/glm-4p7'),
    })
    expect(oneName(listed, { elsewhere: named('GLM-4.7'), own: [], kept })).toEqual({
      respelled: [{ provider, from: 'glm-4.7', to: 'GLM-4.7' }],
      second: named('glm-4p7', 'accounts/fireworks/models/glm-4p7'),
    })
  })

  it('stays when it is served and still listed, and so do several that are served', () => {
    const own = named('glm-4p7', 'glm-4.7').map((one) => ({ ...one, shared: false }))
    const listed = named('glm-4p7', 'glm-4.7', 'GLM-4.7')
    expect(oneName(listed, { elsewhere: [], own, kept })).toEqual({ respelled: [], second: named('GLM-4.7') })
  })

  it('is not a second one where the makers differ, and where the seller’s own list has both', () => {
    const makers = named('a/m-7b', 'b/m-7b')
    expect(oneName(makers, { elsewhere: [], own: [], kept })).toEqual({ respelled: [], second: [] })
    const own = named('m-7b', 'a/m-7b')
    expect(oneName(own, { elsewhere: [], own: [], kept: new Set() })).toEqual({ respelled: [], second: [] })
    expect(oneName(own, { elsewhere: named('M-7B'), own: [], kept: new Set() })).toEqual({ respelled: [], second: [] })
  })

  it('is not read where it can mean either of two that are served', () => {
    expect(oneName(named('m-7b'), { elsewhere: named('a/m-7b', 'b/m-7b'), own: [], kept })).toEqual({
      respelled: [],
      second: named('m-7b'),
    })
  })

  it('is another one at another seller', () => {
    const elsewhere = [{ provider: 'other', resource: 'M-7B' }]
    expect(oneName(named('m-7b'), { elsewhere, own: [], kept })).toEqual({ respelled: [], second: [] })
  })
})
