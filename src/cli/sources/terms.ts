import { Command } from 'commander'
import { checkDocuments, type DeclarationCheck } from '../../collecting/check-documents.ts'
import { OperatorError } from '../../lib/errors.ts'
import type { Sql } from '../../lib/sql.ts'
import { plural } from '../../lib/text/plural.ts'
import { compareVersions, type VersionDifference } from '../../terms/read/compare-versions.ts'
import { type DocumentName, listDocuments, listVersions } from '../../terms/read/list-documents.ts'
import { readCurrentVersion, readVersion } from '../../terms/read/read-version.ts'
import { minuteOf, type OutputOptions, print, printLong, table, wholeNumber } from '../output.ts'
import { type CommandContext, withInstallation } from '../with-installation.ts'
import { describeDifference, printable } from './held-version.ts'
import { withCollecting } from './with-collecting.ts'

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const VERSIONS = 50

export function termsCommand(): Command {
  const terms = new Command('terms').description('legal documents: their versions, texts and differences')
  terms
    .command('list')
    .description('every document; with PROVIDER/DOCUMENT its versions, the newest first')
    .argument('[document]', 'PROVIDER, or PROVIDER/DOCUMENT')
    .option('--all', 'also versions that are held, expired or rejected')
    .option('--limit <n>', 'versions at most', wholeNumber, VERSIONS)
    .option('--json', 'print JSON')
    .action((name: string | undefined, options: OutputOptions & { all?: boolean; limit: number }) =>
      withInstallation(({ sql }) =>
        name?.includes('/') ? printVersions(sql, documentName(name), options) : printDocuments(sql, name, options),
      ),
    )
  terms
    .command('show')
    .description('the text of a version, or of the document as it is in force')
    .argument('<version>', 'a version id, or PROVIDER/DOCUMENT')
    .option('--json', 'print JSON')
    .action((name: string, options: OutputOptions) => withInstallation(({ sql }) => printText(sql, name, options)))
  terms
    .command('diff')
    .description('what one version says otherwise than another; of a document, its last change')
    .argument('<version>', 'a version id, or PROVIDER/DOCUMENT')
    .argument('[other]', 'a later version id; left out, the version is compared with the one before it')
    .option('--json', 'print JSON')
    .action((name: string, other: string | undefined, options: OutputOptions) =>
      withInstallation(async (context) => {
        const difference = await differenceOf(context, name, other)
        printLong(options, difference, describeDifference(difference))
      }),
    )
  terms
    .command('check')
    .description('fetch declared documents now and show what their selectors find; nothing is recorded')
    .argument('[document]', 'PROVIDER/DOCUMENT or the name of its source; all of them when left out')
    .option('--json', 'print JSON')
    .action((name: string | undefined, options: OutputOptions) =>
      withInstallation(async (context) => {
        const onChecked = (check: DeclarationCheck) => {
          if (!options.json) print({}, check, `${describeCheck(check)}\n`)
        }
        const checks = await withCollecting(context, (collecting) => checkDocuments(collecting, name, onChecked))
        const failed = checks.filter(({ problem }) => problem)
        print(options, { checks }, `${plural(checks.length, 'document')} checked, ${failed.length} with a problem.`)
        if (failed.length > 0) process.exitCode = 1
      }),
    )
  return terms
}

function describeCheck({
  source,
  url,
  problem,
  select,
  worse,
  proposed,
  words,
  firstLines,
  lastLines,
  change,
}: DeclarationCheck): string {
  const lines = [`${source}: ${url ?? ''}`]
  if (problem) lines.push(`  PROBLEM ${problem}`)
  if (words !== undefined) {
    const by = select && select.length > 0 ? select.join(', ') : 'the container of the page'
    lines.push(`  ${words} words, found by ${by}`)
    lines.push(
      ...(firstLines ?? []).map((line) => `  | ${line}`),
      '  | …',
      ...(lastLines ?? []).map((line) => `  | ${line}`),
    )
    if (worse) lines.push(`  WORSE than the container of the page: ${worse}`)
    if (proposed) lines.push(`  proposed: "select": [${JSON.stringify(proposed)}]`)
    const doubts = change && change.doubts.length > 0 ? `, unusual: ${change.doubts.join(', ')}` : ''
    lines.push(
      change
        ? `  would change: ${change.classification}, -${change.wordsRemoved} +${change.wordsAdded} words${doubts}`
        : '  would change nothing',
    )
  }
  return printable(lines.join('\n'))
}

function documentName(text: string): DocumentName {
  const [provider = '', document = '', ...rest] = text.split('/')
  if (provider && document && rest.length === 0) return { provider, document }
  throw new OperatorError(`"${text}" is not a document: write PROVIDER/DOCUMENT. See: npx pricetape terms list`)
}

async function printDocuments(sql: Sql, provider: string | undefined, options: OutputOptions): Promise<void> {
  const documents = await listDocuments(sql, { provider })
  const rows = documents.map(({ provider, document, versions, recordedAt, effectiveDate, waiting, title }) => [
    `${provider}/${document}`,
    String(versions),
    recordedAt ? minuteOf(recordedAt) : 'never',
    effectiveDate ?? '',
    waiting ?? '',
    title,
  ])
  print(
    options,
    { documents },
    table(['DOCUMENT', 'VERSIONS', 'IN FORCE SINCE', 'EFFECTIVE', 'WAITING', 'TITLE'], rows),
  )
}

async function printVersions(
  sql: Sql,
  document: DocumentName,
  options: OutputOptions & { all?: boolean; limit: number },
): Promise<void> {
  const versions = await listVersions(sql, document, options)
  if (versions.length === 0)
    throw new OperatorError(
      `There is no version of ${document.provider}/${document.document}. See: npx pricetape terms list`,
    )
  const rows = versions.map(({ versionId, status, firstSeenAt, recordedAt, reasons, ...version }) => [
    versionId,
    status,
    minuteOf(firstSeenAt),
    recordedAt ? minuteOf(recordedAt) : '',
    version.classification ?? '',
    version.significance ?? '',
    [...reasons, ...(version.explained ?? []).map(({ rule }) => `explained: ${rule}`)].join(', '),
  ])
  const head = ['VERSION', 'STATUS', 'FIRST SEEN', 'IN FORCE SINCE', 'CHANGE', 'SIGNIFICANCE', 'REASONS']
  print(options, { ...document, versions }, table(head, rows))
}

async function printText(sql: Sql, name: string, options: OutputOptions): Promise<void> {
  const version = UUID.test(name) ? await readVersion(sql, name) : await readCurrentVersion(sql, documentName(name))
  const head = [
    `${version.title} of ${version.provider}: ${version.url}`,
    `${version.versionId}, ${version.status}, first seen ${version.firstSeenAt}`,
  ]
  printLong(options, version, printable(`${head.join('\n')}\n\n${version.markdown}`))
}

async function differenceOf(
  { sql, isolation }: CommandContext,
  name: string,
  other: string | undefined,
): Promise<VersionDifference> {
  if (other !== undefined) return await compareVersions({ sql, isolation }, name, other)
  const { versionId, provider, document } = UUID.test(name)
    ? await readVersion(sql, name)
    : await readCurrentVersion(sql, documentName(name))
  const versions = await listVersions(sql, { provider, document }, { all: true, limit: 1_000 })
  const previous = versions.find((version) => version.versionId === versionId)?.previousVersion
  if (!previous) throw new OperatorError(`${versionId} is the first version of ${provider}/${document}.`)
  return await compareVersions({ sql, isolation }, previous, versionId)
}
