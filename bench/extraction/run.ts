/**
 * Compares the text of recorded pages with the texts that people declared to be their documents:
 * `node --import tsx bench/extraction/run.ts FOLDER [--worst N]`. README.md beside it says how the folder is made.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { extractText } from '../../src/terms/extract/extract-text.ts'

type Entry = { id: string; collection: string; document: string; kind: string }
type Score = Entry & { tool: string; recall: number; precision: number }

const TOOLS = ['pricetape', 'readability', 'trafilatura'] as const
/** A page that holds hardly any of the reference's words is another page: the text is of an earlier one, or of a script. */
const SAME_PAGE = 0.5

/** The words of a text, without what Markdown adds to it: addresses, marks and escapes. */
function wordsOf(text: string): Map<string, number> {
  const plain = text
    .replace(/\]\((?:[^()\\]|\\.|\([^()]*\))*\)/g, '] ')
    .replace(/<[^>\n]{1,500}>/g, ' ')
    .replace(/\\([^\w\s])/g, '$1')
    .toLowerCase()
  const counts = new Map<string, number>()
  for (const word of plain.match(/[\p{L}\p{N}]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const total = (words: Map<string, number>) => [...words.values()].reduce((sum, count) => sum + count, 0)
const common = (a: Map<string, number>, b: Map<string, number>) =>
  [...a].reduce((sum, [word, count]) => sum + Math.min(count, b.get(word) ?? 0), 0)

async function ours(folder: string, { id, kind }: Entry): Promise<string> {
  const bytes = readFileSync(join(folder, `${id}.${kind}`))
  const contentType = kind === 'pdf' ? 'application/pdf' : 'text/html'
  try {
    return (await extractText({ bytes, contentType, selectors: { select: [], remove: [] } })).markdown
  } catch (error) {
    return `refused ${error instanceof Error ? error.message : error}`
  }
}

async function scoresOf(folder: string): Promise<Score[]> {
  const entries: Entry[] = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'))
  const scores: Score[] = []
  for (const entry of entries) {
    const reference = wordsOf(readFileSync(join(folder, `${entry.id}.md`), 'utf8'))
    const own = await ours(folder, entry)
    writeFileSync(join(folder, `${entry.id}.pricetape.txt`), own)
    const whole = entry.kind === 'html' ? wordsOf(readFileSync(join(folder, `${entry.id}.html`), 'utf8')) : wordsOf(own)
    if (common(reference, whole) < total(reference) * SAME_PAGE) continue
    for (const tool of TOOLS) {
      const file = join(folder, `${entry.id}.${tool}.txt`)
      if (!existsSync(file)) continue
      const found = wordsOf(readFileSync(file, 'utf8'))
      const both = common(reference, found)
      const size = total(found)
      scores.push({ ...entry, tool, recall: both / total(reference), precision: size === 0 ? 0 : both / size })
    }
  }
  return scores
}

const quantile = (values: number[], q: number) =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * q)] ?? 0
const share = (values: number[], below: number) =>
  `${((100 * values.filter((value) => value < below).length) / values.length).toFixed(1)} %`

function print(title: string, scores: Score[]): void {
  console.log(`\n${title}`)
  for (const tool of TOOLS) {
    const own = scores.filter((score) => score.tool === tool)
    if (own.length === 0) continue
    const [recall, precision] = [own.map((score) => score.recall), own.map((score) => score.precision)]
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
    const row = [
      tool, own.length,
      ...[recall, precision].flatMap((values) => [
        quantile(values, 0.5).toFixed(3), mean(values).toFixed(3), quantile(values, 0.1).toFixed(3), share(values, 0.9),
      ]),
    ] // biome-ignore format: one row of a table
    console.log(`| ${row.join(' | ')} |`)
  }
}

const folder = process.argv[2]
if (!folder) throw new Error('name the folder')
const scores = await scoresOf(folder)
console.log(
  '| tool | documents | recall: median | mean | lowest tenth | below 0.9 | precision: median | mean | lowest tenth | below 0.9 |',
)
print(
  'all web pages',
  scores.filter(({ kind }) => kind === 'html'),
)
for (const collection of new Set(scores.map((score) => score.collection)))
  print(
    collection,
    scores.filter((score) => score.kind === 'html' && score.collection === collection),
  )
print(
  'PDF',
  scores.filter(({ kind }) => kind === 'pdf'),
)
const worst = Number(process.argv[process.argv.indexOf('--worst') + 1] || 0)
if (process.argv.includes('--worst')) {
  const own = scores
    .filter(({ tool }) => tool === 'pricetape')
    .toSorted((a, b) => a.recall + a.precision - b.recall - b.precision)
  for (const { id, collection, document, recall, precision } of own.slice(0, worst)) {
    const others = scores.filter((score) => score.id === id && score.tool !== 'pricetape')
    const beside = others.map((score) => `${score.tool} ${score.recall.toFixed(3)}/${score.precision.toFixed(3)}`)
    console.log(`${id} ${collection} ${document}: ${recall.toFixed(3)}/${precision.toFixed(3)}; ${beside.join(', ')}`)
  }
}
