/**
 * Reads every price of some providers, or of one alias group, as it stood at one instant; prints a row per line.
 *
 *   PRICETAPE_API_KEY=ptk_… npx tsx examples/walk-history.ts 'providers=openai,anthropic'
 *   PRICETAPE_API_KEY=ptk_… npx tsx examples/walk-history.ts 'alias=GPT-5&asOf=2026-08-01T00:00:00Z'
 *
 * No dependencies: copy it.
 */
const baseUrl = process.env.PRICETAPE_URL ?? 'http://localhost:8080'
const apiKey = process.env.PRICETAPE_API_KEY ?? ''
const limit = process.env.PRICETAPE_LIMIT ?? '10000'

type Row = { provider: string; resource: string; price: string; contentHash: string; renamedTo?: string }
type Page = { asOf: string; nextCursor: string | null; prices: Row[] }

const wait = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1_000))

/** One page. Waits `retry-after` seconds on 429 and 503, and backs off when it fails (500). */
async function page(query: URLSearchParams): Promise<Page | 'alias_changed'> {
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch(`${baseUrl}/v1/prices/history?${query}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    })
    if (answer.ok) return (await answer.json()) as Page
    const { error } = (await answer.json()) as { error: { code: string; message: string; field?: string } }
    if (answer.status === 409 && error.code === 'alias_changed') return 'alias_changed'
    if (answer.status !== 429 && answer.status < 500) throw new Error(`${error.code}: ${error.message}`)
    if (attempt === 8) throw new Error(`gave up after ${attempt} attempts: ${error.message}`)
    // Jitter keeps workers that share a key from coming back all at once. The cursor stays valid.
    await wait(Number(answer.headers.get('retry-after') ?? 2 ** attempt) + Math.random() * 0.3)
  }
}

/** Every row of one walk. When the alias group changes under way, starts again at the same instant. */
async function walk(first: URLSearchParams): Promise<{ asOf: string; rows: Row[] }> {
  const start = new URLSearchParams(first)
  for (;;) {
    const rows: Row[] = []
    let answer = await page(new URLSearchParams([...start, ['limit', limit]]))
    while (answer !== 'alias_changed') {
      rows.push(...answer.prices)
      start.set('asOf', answer.asOf)
      if (answer.nextCursor === null) return { asOf: answer.asOf, rows }
      answer = await page(new URLSearchParams({ cursor: answer.nextCursor, limit }))
    }
  }
}

const { asOf, rows } = await walk(new URLSearchParams(process.argv[2] ?? ''))
for (const row of rows) console.log(JSON.stringify(row))
console.error(`${rows.length} prices as of ${asOf}`)
