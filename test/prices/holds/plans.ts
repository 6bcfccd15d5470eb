import type { Plan } from '../../../src/prices/plan/schema.ts'

/** A plan for which nothing is to be done but what is given. */
export const plan = (more: Partial<Plan> = {}): Plan => ({
  publish: [],
  hold: [],
  confirmed: [],
  released: [],
  waiting: [],
  verdicts: new Map(),
  superseded: [],
  unjudged: [],
  missing: [],
  renamed: [],
  removed: [],
  retired: [],
  left: [],
  toReview: [],
  contested: new Map(),
  respelled: [],
  ...more,
})
