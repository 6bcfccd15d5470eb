import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createAddressBuckets } from '../accounts/limits/address-buckets.ts'
import { clientAddress } from '../accounts/limits/client-address-rules.ts'
import { retryAfter } from '../accounts/limits/rate-limit-rules.ts'
import { findGroup } from '../aliases/list-groups.ts'
import type { Api } from '../api/route.ts'
import type { SendAnswer } from '../api/serving/send-answer.ts'
import { AppError } from '../lib/errors.ts'
import { parseInstant } from '../lib/instant.ts'
import type { Sql } from '../lib/sql.ts'
import { storableString } from '../lib/storable-input.ts'
import { readSeries, type Series } from '../prices/explore/read-series.ts'
import { chartImage } from './chart-image.ts'
import type { Html } from './html-rules.ts'
import { keptFile } from './kept-file.ts'
import {
  comparisonSentence,
  comparisonSteps,
  type Preview,
  previewTags,
  priceSentence,
  priceSteps,
} from './preview-rules.ts'

export type DescribePage = (request: FastifyRequest) => Promise<Html | undefined>

const PAGES: Record<string, Pick<Preview, 'title' | 'text'>> = {
  '/': {
    title: 'What changed',
    text: 'Price changes, new and removed models, and changed terms of AI and cloud providers.',
  },
  '/prices': { title: 'Prices', text: 'Every published price of AI and cloud providers, as it stood at any instant.' },
  '/documents': {
    title: 'Documents',
    text: 'Terms and policies of AI and cloud providers, and every change of what they say.',
  },
}
const RESOURCE = /^\/prices\/([^/]+)\/(.+)$/
const COMPARISON = /^\/compare\/([^/]+)$/
const IMAGE_PATH = '/previews/price.png'
const COMPARISON_PATH = '/previews/comparison.png'
const comparisonQuery = z.object({ group: storableString, asOf: z.string().optional() })
const imageQuery = z.object({ provider: storableString, resource: storableString, asOf: z.string().optional() })
/** Why an instant has no prices to show. */
const UNREADABLE: string[] = ['as_of_too_recent', 'history_lost']

type Tools = { sql: Sql; origin: string; sendAnswer: SendAnswer }

/** What links to public pages show elsewhere: title, a sentence and the chart of a price or of a comparison. */
export function linkPreviews({ sql, origin, sendAnswer }: Tools) {
  const addresses = createAddressBuckets()

  async function describe({ url, ip }: FastifyRequest): Promise<Html | undefined> {
    const [path = '/', query] = url.split('?')
    const page = PAGES[path]
    if (page) return previewTags({ ...page, url: origin + path })
    const [, group] = COMPARISON.exec(path)?.map(decoded) ?? []
    if (group !== undefined) return describeComparison(group, { path, query, ip })
    const [, provider, resource] = RESOURCE.exec(path)?.map(decoded) ?? []
    if (provider === undefined || resource === undefined || addresses.take(clientAddress(ip)) > 0) return undefined
    const asOf = new URLSearchParams(query).get('asOf') ?? undefined
    const series = await readResource(sql, { provider, resource, asOf })
    if (!series) return undefined
    const name = series.providers[provider] ?? provider
    const image = `${origin}${IMAGE_PATH}?${new URLSearchParams({ provider, resource, ...(asOf && { asOf }) })}`
    const address = origin + path + (query === undefined ? '' : `?${query}`)
    return previewTags({ title: `${resource} at ${name}`, text: priceSentence(series), url: address, image })
  }

  type PageRequest = { path: string; query: string | undefined; ip: string }
  async function describeComparison(group: string, { path, query, ip }: PageRequest): Promise<Html | undefined> {
    if (addresses.take(clientAddress(ip)) > 0) return undefined
    const asOf = new URLSearchParams(query).get('asOf') ?? undefined
    const found = await readComparison(sql, { group, asOf })
    if (!found) return undefined
    const image = `${origin}${COMPARISON_PATH}?${new URLSearchParams({ group, ...(asOf && { asOf }) })}`
    const url = origin + path + (query === undefined ? '' : `?${query}`)
    return previewTags({ title: `${found.name} at every seller`, text: comparisonSentence(found.series), url, image })
  }

  const images = async (api: Api): Promise<void> => {
    const image = (path: string, draw: (query: unknown) => Promise<Buffer | undefined>) =>
      api.get(path, { schema: { hide: true } }, async (request, reply) => {
        const waitSeconds = addresses.take(clientAddress(request.ip))
        if (waitSeconds > 0)
          throw new AppError('rate_limited', 'Wait, then load this again.', { retryAfter: retryAfter(waitSeconds) })
        const bytes = await draw(request.query)
        if (!bytes) throw new AppError('not_found', 'There is nothing to draw here.')
        return sendAnswer(request, reply, keptFile(bytes, 'image/png'))
      })
    image(IMAGE_PATH, async (query) => {
      const { data } = imageQuery.safeParse(query)
      const series = data && (await readResource(sql, data))
      return series && chartImage([priceSteps(series)], Date.parse(series.asOf))
    })
    image(COMPARISON_PATH, async (query) => {
      const { data } = comparisonQuery.safeParse(query)
      const found = data && (await readComparison(sql, data))
      return found && chartImage(comparisonSteps(found.series), Date.parse(found.series.asOf))
    })
  }
  return { describe, images }
}

type ResourceQuery = { provider: string; resource: string; asOf?: string | undefined }

/** Returns the history of a resource until an instant; undefined where nothing was priced then, or it cannot be read. */
const readResource = (sql: Sql, { provider, resource, asOf }: ResourceQuery): Promise<Series | undefined> =>
  readUntil(sql, [{ provider, resource }], asOf)

/** Returns the history of the members of an alias group; undefined where there is none, or nothing was priced. */
async function readComparison(sql: Sql, { group: reference, asOf }: { group: string; asOf?: string | undefined }) {
  const group = await findGroup(sql, reference)
  const series = group && (await readUntil(sql, group.members, asOf))
  return series && { name: group.name, series }
}

async function readUntil(
  sql: Sql,
  names: { provider: string; resource: string }[],
  asOf: string | undefined,
): Promise<Series | undefined> {
  const instant = asOf === undefined ? undefined : parseInstant(asOf)
  if (asOf !== undefined && !instant) return undefined
  try {
    const series = await readSeries(sql, names, instant ? { asOf: instant } : {})
    return series.rows.length > 0 ? series : undefined
  } catch (error) {
    if (error instanceof AppError && UNREADABLE.includes(error.code)) return undefined
    throw error
  }
}

function decoded(text: string): string | undefined {
  try {
    // PostgreSQL holds no NUL.
    return decodeURIComponent(text).replaceAll('\0', '')
  } catch {
    return undefined
  }
}
