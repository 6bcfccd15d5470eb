import { describe, expect, it } from 'vitest'
import { vulnerabilitiesOf } from '../../ops/dependencies/audit-rules.ts'

const SHIPPED = new Set(['node_modules/zod', 'node_modules/a/node_modules/b'])

describe('the known vulnerabilities of packages that are shipped', () => {
  it('are those that the registry reports at a path that is shipped, with their titles', () => {
    const report = {
      vulnerabilities: {
        zod: { severity: 'high', via: [{ title: 'Slow patterns' }, 'b'], nodes: ['node_modules/zod'] },
        b: { severity: 'low', via: ['zod'], nodes: ['node_modules/b', 'node_modules/a/node_modules/b'] },
        vitest: { severity: 'critical', via: [{ title: 'Not shipped' }], nodes: ['node_modules/vitest'] },
      },
    }
    expect(vulnerabilitiesOf(report, SHIPPED)).toEqual([
      'zod has a known vulnerability (high): Slow patterns',
      'b has a known vulnerability (low): see npm audit',
    ])
  })

  it('are none where the registry reports none, and unknown where it does not answer', () => {
    expect(vulnerabilitiesOf({ vulnerabilities: {} }, SHIPPED)).toEqual([])
    expect(vulnerabilitiesOf({ message: 'Not Found' } as object, SHIPPED)).toBeUndefined()
    expect(vulnerabilitiesOf(undefined, SHIPPED)).toBeUndefined()
  })
})
