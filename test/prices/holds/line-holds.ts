import type { Evidence } from '../../../src/prices/plan/evidence/evidence-schema.ts'
import { changeOf } from '../../../src/prices/plan/holds/change-rules.ts'
import type { HoldReason } from '../../../src/prices/plan/holds/index.ts'
import { lineHolds } from '../../../src/prices/plan/holds/line-rules.ts'

const holdsOf = (kind: 'new' | 'changed', evidence: Evidence): HoldReason[] =>
  lineHolds({ evidence, change: changeOf(kind, evidence), isOutside: false, isLeft: false })

/** Returns why a changed price is held, by its evidence alone. */
export const checkChange = (evidence: Evidence): HoldReason[] => holdsOf('changed', evidence)

/** Returns why a first price is held, by its evidence alone. */
export const checkFirstPrice = (evidence: Evidence): HoldReason[] => holdsOf('new', evidence)
