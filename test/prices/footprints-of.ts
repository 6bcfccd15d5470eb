import type { Sql } from '../../src/lib/sql.ts'
import { footprint } from '../support/footprint.ts'
import { expectGolden } from '../support/suite/goldens.ts'

export type Action = (sql: Sql) => Promise<unknown>
/** The same after something else has happened, which is no part of what it changes. */
export type Later = { given: Action[]; does: Action }

/** What tells rows of prices and of items to review apart. */
const ALSO = ['source', 'provider', 'resource', 'dimension', 'price', 'decision', 'reason', 'missing_count', 'asks']
/** Ids that are made differ each time. */
const ID = /evt_[0-9a-f-]+/g

/** Compares what each action answers, and everything that it changes, with the golden file of this name. */
export async function expectFootprints(sql: Sql, name: string, actions: Record<string, Action | Later>): Promise<void> {
  const found: Record<string, string[]> = {}
  for (const [action, one] of Object.entries(actions)) {
    const { given, does } = 'does' in one ? one : { given: [], does: one }
    const before: Action = async (tx) => {
      for (const step of given) await step(tx)
    }
    const answered: string[] = []
    const changed = await footprint(sql, async (tx) => answered.push(...textOf(await does(tx))), before, ALSO)
    found[action] = [...answered, ...changed]
  }
  await expectGolden(`footprints/prices/${name}`, found)
}

/** An answer without what is none of anything. */
function textOf(answer: unknown): string[] {
  const isNone = (value: unknown) =>
    value === 0 || (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  const text = JSON.stringify(answer, (_, value: unknown) => (isNone(value) ? undefined : value))
  return text === undefined ? [] : [`answers ${text.replace(ID, 'evt_…')}`]
}
