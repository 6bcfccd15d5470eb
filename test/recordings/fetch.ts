/**
 * `npm run recordings`: fetches the recorded prices and documents that some tests replay, from the public repositories
 * that keep them, into the folder where those tests look.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { recording } from '../support/suite/recordings.ts'
import recorded from './commits.json' with { type: 'json' }

const run = promisify(execFile)
const MOST_BYTES = 64 * 1024 * 1024

/** A file of a repository at one of its commits, and where the recording keeps it. */
type RecordedFile = { commit: string; path: string; file: string; document?: string }

/** The folder of a document: its name in small letters. */
const slug = (document: string): string => document.toLowerCase().replace(/[^a-z0-9]+/g, '-')
const numbered = (n: number): string => String(n).padStart(3, '0')

async function fetchRecording(name: 'genai-prices' | 'terms', repository: string, wanted: RecordedFile[], at: string) {
  const clone = await mkdtemp(join(tmpdir(), 'pricetape-recording-'))
  console.log(`${name}: ${wanted.length} files of ${repository}`)
  await run('git', ['clone', '--quiet', '--bare', repository, clone])
  const git = async (...args: string[]) =>
    (await run('git', ['-C', clone, ...args], { encoding: 'buffer', maxBuffer: MOST_BYTES })).stdout
  const folder = recording(name)
  const manifest: Record<string, string>[] = []
  for (const { commit, path, file, document } of wanted) {
    const to = join(folder, file)
    await mkdir(dirname(to), { recursive: true })
    await writeFile(to, gzipSync(await git('show', `${commit}:${path}`)))
    const committed = String(await git('show', '--no-patch', '--format=%cI', commit)).trim()
    manifest.push({ ...(document !== undefined && { document }), file, [at]: committed, commit })
  }
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(manifest, undefined, 1)}\n`)
  await rm(clone, { recursive: true })
  console.log(`${name} is in ${folder}`)
}

const { 'genai-prices': prices, terms } = recorded
await fetchRecording(
  'genai-prices',
  prices.repository,
  prices.commits.map((commit, n) => ({ commit, path: prices.path, file: `${numbered(n)}.json.gz` })),
  'committedAt',
)
await fetchRecording(
  'terms',
  terms.repository,
  Object.entries(terms.documents).flatMap(([document, commits]) =>
    commits.map((commit, n) => ({
      ...{ commit, document, path: `${document}.md` },
      file: `${slug(document)}/${numbered(n)}.md.gz`,
    })),
  ),
  'recordedAt',
)
