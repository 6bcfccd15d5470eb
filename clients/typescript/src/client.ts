import { type AnswerCache, MemoryCache } from './cache.ts'
import { AliasChangedError } from './errors.ts'
import { firstPagePath, type HistoryQuery, nextPagePath, WALK_LIMIT } from './query.ts'
import { type RequestOptions, requestText, type Settings } from './request.ts'
import type {
  Aliases,
  Catalog,
  ConsistencyProof,
  Evidence,
  HistoryPage,
  LogKeys,
  PageProof,
  PriceRow,
  Provider,
  RowProof,
} from './types.ts'

export type PricetapeOptions = {
  /** Address of the installation, such as `https://prices.example.com`. */
  url: string
  apiKey: string
  /** Keeps answers with their ETags. Default: 32 MB in memory. `false`: nothing is kept. */
  cache?: AnswerCache | false
  /** How often a request is sent again after 429, 5xx or no answer. Default: 8. */
  retries?: number
  /** How long one request may take. Default: 120 seconds. */
  timeoutMs?: number
  /** Another implementation of fetch, for proxies and tests. */
  fetch?: typeof fetch
}

/** All rows of one walk, read at one instant. */
export type Walk = Omit<HistoryPage, 'nextCursor'>

/** How often a walk starts again because its alias group changes under way. */
const MAX_RESTARTS = 5
const DEFAULT_RETRIES = 8
const DEFAULT_TIMEOUT_MS = 120_000

/** Reads one installation of Pricetape. */
export class Pricetape {
  private readonly settings: Settings

  constructor({ url, apiKey, cache, retries, timeoutMs, fetch: given }: PricetapeOptions) {
    if (!apiKey) throw new TypeError('apiKey is missing: create one with npx pricetape key create --name NAME.')
    this.settings = {
      baseUrl: new URL(url).href.replace(/\/+$/, ''),
      apiKey,
      cache: cache === false ? undefined : (cache ?? new MemoryCache()),
      retries: retries ?? DEFAULT_RETRIES,
      timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
      fetch: given ?? fetch,
    }
  }

  /** Returns the first page of the price history. */
  history(query: HistoryQuery = {}, options: RequestOptions = {}): Promise<HistoryPage> {
    return this.get<HistoryPage>(firstPagePath(query), options)
  }

  /**
   * Returns one page after another, all read at the same instant.
   * @throws AliasChangedError when the alias group is saved between two pages: discard the pages and start again
   */
  async *pages(query: HistoryQuery = {}, options: RequestOptions = {}): AsyncGenerator<HistoryPage, void, void> {
    const limit = query.limit ?? WALK_LIMIT
    let page = await this.history({ ...query, limit }, options)
    yield page
    while (page.nextCursor !== null) {
      page = await this.get<HistoryPage>(nextPagePath(page.nextCursor, limit), options)
      yield page
    }
  }

  /**
   * Returns all rows of all pages. When the alias group changes under way, the rows read so far are discarded and the
   * walk starts again at the first page's instant.
   */
  async walk(query: HistoryQuery = {}, options: RequestOptions = {}): Promise<Walk> {
    let asOf = query.asOf
    for (let restarts = 0; ; restarts++) {
      const pages: HistoryPage[] = []
      try {
        for await (const page of this.pages({ ...query, asOf }, options)) {
          pages.push(page)
          asOf = page.asOf
        }
        const { nextCursor: _, ...first } = pages[0]!
        const unpublished = first.unpublished && pages.flatMap((page) => page.unpublished ?? [])
        return { ...first, ...(unpublished && { unpublished }), prices: pages.flatMap((page) => page.prices) }
      } catch (error) {
        if (!(error instanceof AliasChangedError) || restarts === MAX_RESTARTS) throw error
      }
    }
  }

  /**
   * Returns one row after another, keeping one page in memory. With `alias` the whole walk is read first, because a
   * change of the group makes rows that were read invalid.
   */
  async *rows(query: HistoryQuery = {}, options: RequestOptions = {}): AsyncGenerator<PriceRow, void, void> {
    if (query.alias !== undefined) yield* (await this.walk(query, options)).prices
    else for await (const page of this.pages(query, options)) yield* page.prices
  }

  /** Returns where a served price was read, its place there as it was, and what other sources show. @throws NotFoundError */
  evidence(contentHash: string, options: RequestOptions = {}): Promise<Evidence> {
    return this.get<Evidence>(`/v1/prices/evidence/${encodeURIComponent(contentHash)}`, options)
  }

  /** Returns the provider directory. */
  async providers(options: RequestOptions = {}): Promise<Provider[]> {
    return (await this.get<{ providers: Provider[] }>('/v1/providers', options)).providers
  }

  /** Returns the alias groups and every resource that could be compared. */
  aliases(options: RequestOptions = {}): Promise<Aliases> {
    return this.get<Aliases>('/v1/comparison/aliases', options)
  }

  /** Returns the resources and documents of one provider. @throws NotFoundError */
  catalog(provider: string, options: RequestOptions = {}): Promise<Catalog> {
    return this.get<Catalog>(`/v1/catalog?${new URLSearchParams({ provider })}`, options)
  }

  /** Returns the keys and names of the publication log. Trust keys that came on another way than what they verify. */
  logKeys(options: RequestOptions = {}): Promise<LogKeys> {
    return this.get<LogKeys>('/v1/log/keys', options)
  }

  /** Returns the proof that a row was published, for `verifyRow`. @throws NotFoundError */
  rowProof(contentHash: string, options: RequestOptions = {}): Promise<RowProof> {
    return this.get<RowProof>(`/v1/log/proof?${new URLSearchParams({ contentHash })}`, options)
  }

  /** Returns one proof that up to 10,000 rows were published, for `verifyPage`. @throws NotFoundError */
  async pageProof(rows: readonly PriceRow[], options: RequestOptions = {}): Promise<PageProof> {
    const contentHashes = rows.map(({ contentHash }) => contentHash)
    const asked = { path: '/v1/log/proofs', body: { contentHashes } }
    return JSON.parse(await requestText(this.settings, asked, options)) as PageProof
  }

  /** Returns the proof that the log begins with the first `from` leaves it had, for `verifyConsistency`. @throws NotFoundError */
  consistencyProof(from: number, options: RequestOptions = {}): Promise<ConsistencyProof> {
    return this.get<ConsistencyProof>(`/v1/log/consistency?from=${from}`, options)
  }

  private async get<T>(path: string, options: RequestOptions): Promise<T> {
    return JSON.parse(await requestText(this.settings, { path }, options)) as T
  }
}
