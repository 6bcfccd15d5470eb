import { describe, expect, it } from 'vitest'
import { mutantRoomOf, mutatedFiles } from '../mutants/pure-files.ts'
import { pureTests } from '../mutants/pure-tests.ts'
import { scoreOf, tableOf } from '../mutants/score.ts'

const report = (...statuses: string[]) => ({ files: { 'a.ts': { mutants: statuses.map((status) => ({ status })) } } })

describe('mutation testing', () => {
  it('counts mutants that no test reaches as unnoticed, and leaves wording out', () => {
    const score = scoreOf(
      'mail',
      report('Killed', 'Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored', 'CompileError'),
    )
    expect(score).toEqual({ name: 'mail', files: 1, mutants: 5, unnoticed: 1, untested: 1, score: 60 })
    expect(scoreOf('mail', report('Ignored')).score).toBe(100)
  })

  it('adds mutants up, not scores', () => {
    const rooms = [scoreOf('mail', report('Killed', 'Survived')), scoreOf('api', report(...Array(8).fill('Killed')))]
    expect(tableOf(rooms).split('\n').slice(2)).toEqual([
      '| mail | 1 | 2 | 1 | 0 | 50.0 |',
      '| api | 1 | 8 | 0 | 0 | 100.0 |',
      '| all | 2 | 10 | 1 | 0 | 90.0 |',
    ])
  })

  it('tries all rules and other pure functions, with tests that need no database, network or process', () => {
    const files = mutatedFiles()
    expect(files).toEqual(
      expect.arrayContaining(['src/webhooks/rules.ts', 'src/prices/plan/holds/end-rules.ts', 'src/lib/decimal.ts']),
    )
    expect(files).not.toContain('src/lib/config.ts')
    expect(files.map(mutantRoomOf)).toEqual(expect.arrayContaining(['webhooks', 'prices/plan', 'prices', 'lib']))
    const tests = pureTests()
    expect(tests).toContain('test/webhooks/attempts/delivery-rules.test.ts')
    expect(tests).not.toContain('test/webhooks/subscriptions.test.ts')
  })
})
