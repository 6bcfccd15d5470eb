import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type KnownError, knownError } from '../catalog/schema.ts'
import { joinKey } from '../lib/collections.ts'

const NAME = 'known-errors.json'
/** The file that comes with the product; one beside a sources file of one's own replaces it. */
const DEFAULT_KNOWN_ERRORS = fileURLToPath(new URL(`../../sources/${NAME}`, import.meta.url))

const knownErrorsFile = z.strictObject({ about: z.string().optional(), errors: z.array(z.unknown()) })

/** The known errors of lists, with everything that is wrong in their file. */
export function readKnownErrors(
  sourcesFile: string,
  read: (file: string) => unknown,
): { file: string; errors: KnownError[]; problems: string[] } {
  const beside = join(dirname(sourcesFile), NAME)
  const file = existsSync(beside) ? beside : DEFAULT_KNOWN_ERRORS
  const parsed = knownErrorsFile.safeParse(read(file))
  if (!parsed.success) return { file, errors: [], problems: parsed.error.issues.map((issue) => said('', issue)) }
  const seen = new Set<string>()
  const problems: string[] = []
  const errors = parsed.data.errors.flatMap((entry, index): KnownError[] => {
    const one = knownError.safeParse(entry)
    if (!one.success) {
      problems.push(...one.error.issues.map((issue) => said(`errors.${index}.`, issue)))
      return []
    }
    const { source, provider, resource, dimension = '' } = one.data
    const key = joinKey(source, provider, resource, dimension)
    if (seen.has(key)) problems.push(`errors.${index}: ${provider} ${resource} is listed twice`)
    seen.add(key)
    return [one.data]
  })
  return { file, errors, problems }
}

const said = (before: string, { path, message }: { path: PropertyKey[]; message: string }) =>
  `${before}${path.join('.')}: ${message}`.replace(/\.:/, ':').replace(/^: /, '')
