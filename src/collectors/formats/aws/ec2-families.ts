import { SnapshotError } from '../../snapshot-error.ts'

/** The letters before the generation: `p` of `p6-b200.48xlarge`, `trn` of `trn1n.32xlarge`. */
const FAMILY = /^([a-z]+)\d/

/** Returns whether a machine of EC2 is of the declared families; all are where none are declared. */
export function isOfFamilies(families: unknown): (instance: string) => boolean {
  if (families === undefined) return () => true
  if (!Array.isArray(families) || families.length === 0 || families.some((family) => typeof family !== 'string'))
    throw new SnapshotError('options.families must be a list of families of machines, such as ["p", "g"].')
  const wanted = new Set<string>(families)
  return (instance) => wanted.has(FAMILY.exec(instance)?.[1] ?? '')
}
