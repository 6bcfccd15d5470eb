import { type SourceState, sourceStates } from '../catalog/source-store.ts'
import type { DeclaredSource } from '../collectors/sources-file.ts'
import type { Collecting } from './collecting.ts'

/** Every declared source with its state, which is absent before it was first collected. */
export async function listSources(collecting: Collecting): Promise<(DeclaredSource & { state?: SourceState })[]> {
  const { all } = await collecting.sources()
  const { sql } = await collecting.tools()
  const states = new Map((await sourceStates(sql)).map((state) => [state.source, state]))
  return all.map((source) => ({ ...source, state: states.get(source.source) }))
}
