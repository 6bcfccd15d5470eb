import type { EventDraft } from '../schema.ts'

/** Who may want an event about these names of a resource: filters match names and canonical ids, groups match names. */
export function audience(
  creditPriced: boolean,
  names: { resource: string; canonicalResource?: string }[],
): Pick<EventDraft, 'resources' | 'members' | 'creditPriced'> {
  const members = [...new Set(names.map((name) => name.resource))]
  const canonical = names.flatMap((name) => name.canonicalResource ?? [])
  return { resources: [...new Set([...members, ...canonical])], members, creditPriced }
}
