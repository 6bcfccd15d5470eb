import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { type ModelName, modelName, type SourceDeclaration } from '../catalog/schema.ts'

/** The folder of the tables that come with the product; one beside a sources file of one's own replaces it. */
const DEFAULT_FOLDER = fileURLToPath(new URL('../../sources/', import.meta.url))

const namesFile = z.strictObject({ about: z.string().optional(), names: z.array(modelName) })

type Names = { modelNames?: ModelName[]; problems: string[] }

/** The table of names that a source declares, with everything that is wrong in it. */
export function readModelNames(
  { options }: SourceDeclaration,
  sourcesFile: string,
  read: (file: string) => unknown,
): Names {
  const { names } = options
  if (names === undefined) return { problems: [] }
  if (typeof names !== 'string' || !/^[a-z0-9-]+\.json$/.test(names))
    return { problems: ['options.names must be the name of a file beside the list of sources'] }
  const beside = join(dirname(sourcesFile), names)
  const file = existsSync(beside) ? beside : join(DEFAULT_FOLDER, names)
  const parsed = namesFile.safeParse(read(file))
  if (!parsed.success)
    return { problems: parsed.error.issues.map(({ path, message }) => `${names}: ${path.join('.')}: ${message}`) }
  const listed = parsed.data.names.map((one) => one.listed)
  const twice = listed.filter((name, index) => listed.indexOf(name) < index)
  return { modelNames: parsed.data.names, problems: twice.map((name) => `${names}: ${name} is listed twice`) }
}
