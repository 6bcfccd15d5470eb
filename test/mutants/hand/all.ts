import type { Mutant } from '../mutant.ts'
import { ACCOUNTS } from './accounts.ts'
import { ATTEMPTS } from './attempts.ts'
import { EDGES } from './edges.ts'
import { EVENTS } from './events.ts'
import { MANAGE } from './manage.ts'
import { PRICES } from './prices.ts'
import { ROUNDS } from './rounds.ts'
import { WORKFLOWS } from './workflows.ts'

/** Every mutant that was written by hand. */
export const HAND_MUTANTS: Mutant[] = [
  ...ATTEMPTS,
  ...ROUNDS,
  ...MANAGE,
  ...WORKFLOWS,
  ...EVENTS,
  ...PRICES,
  ...ACCOUNTS,
  ...EDGES,
]
