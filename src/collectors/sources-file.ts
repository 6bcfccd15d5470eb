import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import {
  type KnownError,
  type ModelName,
  type SourceDeclaration,
  type SourceKind,
  sourceDeclaration,
} from '../catalog/schema.ts'
import { OperatorError } from '../lib/errors.ts'
import { parseUrl } from '../lib/http/parse-url.ts'
import { wrongLines } from '../lib/zod-problem.ts'
import { DOCUMENT_FORMAT, documentOptions } from '../terms/schema.ts'
import { collectorFor, PRICE_FORMATS } from './index.ts'
import { readKnownErrors } from './known-errors-file.ts'
import { readModelNames } from './model-names-file.ts'
import { isObject } from './reading/json.ts'

/** A declared source with what it gives. */
export type DeclaredSource = SourceDeclaration & { kind: SourceKind }

/** Every source that is declared, and the folder that the paths of files among them start from. */
export type Sources = { folder: string; all: DeclaredSource[]; enabled: DeclaredSource[] }

/** The file that comes with the product; PRICETAPE_SOURCES names another. */
export const DEFAULT_SOURCES = fileURLToPath(new URL('../../sources/prices.json', import.meta.url))

const sourcesFile = z.strictObject({ sources: z.array(sourceDeclaration.strict()) })

/**
 * The reviewed list of sources.
 * @throws OperatorError naming everything that is wrong in it, all at once.
 */
export function readSources(path = DEFAULT_SOURCES): Sources {
  const file = resolve(path)
  const parsed = sourcesFile.safeParse(withDocuments(file))
  const known = readKnownErrors(file, readFile)
  const namesOf = (source: SourceDeclaration) => readModelNames(source, file, readFile)
  const wrong = [
    ...(parsed.success
      ? parsed.data.sources.flatMap((source, index) => [
          ...problemsOf(source, parsed.data.sources.slice(0, index)),
          ...namesOf(source).problems.map((problem) => `${source.source}: ${problem}`),
        ])
      : wrongLines(parsed.error)),
    ...known.problems.map((problem) => `${known.file}: ${problem}`),
  ]
  if (!parsed.success || wrong.length > 0)
    throw new OperatorError(`The sources in ${file} need fixing:\n${wrong.map((line) => `  ${line}`).join('\n')}`)
  const all = parsed.data.sources.map(
    (source): DeclaredSource => ({
      ...source,
      primary: source.primary && !source.witness,
      format: collectorFor(source.format)?.format ?? source.format,
      kind: kindOf(source.format)!,
      ...knownErrorsOf(source.source, known.errors),
      ...modelNamesOf(namesOf(source)),
    }),
  )
  return { folder: dirname(file), all, enabled: all.filter((source) => source.enabled !== false) }
}

function knownErrorsOf(name: string, errors: KnownError[]): Pick<DeclaredSource, 'knownErrors'> {
  const knownErrors = errors.filter(({ source }) => source === name)
  return knownErrors.length > 0 ? { knownErrors } : {}
}

const modelNamesOf = ({ modelNames }: { modelNames?: ModelName[] }) => (modelNames ? { modelNames } : {})

/** Legal documents are declared in a `documents.json` of the same shape beside the file, so that each list stays readable. */
function withDocuments(file: string): unknown {
  const declared = readFile(file)
  const beside = join(dirname(file), 'documents.json')
  if (!existsSync(beside)) return declared
  const [prices, terms] = [sourcesFile.safeParse(declared), sourcesFile.safeParse(readFile(beside))]
  if (!prices.success || !terms.success) return prices.success ? readFile(beside) : declared
  return { sources: [...prices.data.sources, ...terms.data.sources] }
}

function readFile(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OperatorError(`The sources file ${file} cannot be read: ${reason}. PRICETAPE_SOURCES names it.`)
  }
}

/** What a format gives, or undefined when there is no such format. */
function kindOf(format: string): SourceKind | undefined {
  if (collectorFor(format)) return 'prices'
  return format === DOCUMENT_FORMAT ? 'terms' : undefined
}

function problemsOf(source: SourceDeclaration, before: SourceDeclaration[]): string[] {
  const say = (what: string) => `${source.source}: ${what}`
  const problems: string[] = []
  const kind = kindOf(source.format)
  if (before.some((other) => other.source === source.source)) problems.push(say('is declared twice'))
  if (!kind)
    problems.push(
      say(`format ${source.format} is unknown; known are ${[...PRICE_FORMATS, DOCUMENT_FORMAT].join(', ')}`),
    )
  if (!source.url && !source.bundled) problems.push(say('has neither url nor bundled'))
  if (source.url?.includes('://') && !/^https?:$/.test(parseUrl(source.url)?.protocol ?? ''))
    problems.push(say(`url ${source.url} is neither http(s) nor a path`))
  if (source.bundled && source.format !== 'genai-prices') problems.push(say(`nothing is bundled for ${source.format}`))
  if (source.complete && (source.rank !== 'provider' || !source.speaksFor || source.witness))
    problems.push(say('complete needs the rank provider and speaksFor, and no witness'))
  if (source.witness && kind === 'terms') problems.push(say('documents cannot be a witness'))
  if (source.witness && source.bundled) problems.push(say('a witness has no bundled history: leave out bundled'))
  if (source.options.question !== undefined && !isObject(source.options.question))
    problems.push(say('options.question must be an object, which is sent as JSON'))
  if (source.format === 'skypilot' && typeof source.options.provider !== 'string')
    problems.push(say('options.provider must say whose machines these are'))
  if (source.format === 'ec2-on-demand' && [source.options.location, source.options.region].some((at) => !at))
    problems.push(say('options.location and options.region must say where these machines are'))
  if (kind === 'terms') {
    const options = documentOptions.safeParse(source.options)
    for (const issue of options.error?.issues ?? [])
      problems.push(say(`options.${issue.path.join('.')}: ${issue.message}`))
    const { provider, document } = source.options
    const same = before.find(({ options }) => options.document === document && options.provider === provider)
    if (options.success && same) problems.push(say(`${provider}/${document} is declared by ${same.source} already`))
  }
  return problems
}
