import type { Sql } from '../../src/lib/sql.ts'

/** A workspace of its own, and 50 people of whom the first is its admin. */
export type Setting = { sql: Sql; workspaceId: string; people: string[] }

/** One action in one state, by 50 requests at once: how many succeed, how many fail with which code, and what holds then. */
export type Cell = {
  action: string
  state: string
  prepare: (setting: Setting) => Promise<unknown>
  act: (setting: Setting, subject: never, n: number) => Promise<unknown>
  expected: Record<string, number>
  invariant: (setting: Setting, subject: never) => Promise<void>
}

/** Describes a cell whose parts share the type of its subject. */
export const cell = <S>(
  action: string,
  state: string,
  given: {
    prepare: (setting: Setting) => Promise<S>
    act: (setting: Setting, subject: S, n: number) => Promise<unknown>
    expected: Record<string, number>
    invariant: (setting: Setting, subject: S) => Promise<void>
  },
): Cell => ({ action, state, ...given }) as Cell
