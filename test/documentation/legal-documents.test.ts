import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bundledSnapshots } from '../../src/collectors/formats/bundled.ts'
import { genaiPrices } from '../../src/collectors/formats/genai-prices.ts'
import { MACHINE_LISTS, MODEL_LISTS } from '../../src/collectors/formats/model-lists/index.ts'
import { readSources } from '../../src/collectors/sources-file.ts'
import { documentOptions } from '../../src/terms/schema.ts'

const { all, folder } = readSources()
const page = readFileSync(new URL('../../docs/sources.md', import.meta.url), 'utf8')
const section = (page.split('## Providers with prices and no legal document')[1] ?? '').split('\n## ')[0]!
/** The slugs that the page's section names in a list, in order. */
const listed = (label: string) =>
  [...(section.split('\n').find((line) => line.startsWith(`- ${label}`)) ?? '').matchAll(/`([a-z0-9-]+)`/g)].map(
    (match) => match[1],
  )

/** Formats of one seller: the source need not say whose list it is. */
const OF_FORMAT: Record<string, string> = {
  ...Object.fromEntries([...MODEL_LISTS, ...MACHINE_LISTS].map(({ format, provider }) => [format, provider])),
  oracle: 'oracle',
  azure: 'azure',
  aws: 'aws',
}

describe('providers with prices and no legal document', () => {
  const withDocument = new Set(
    all.filter(({ kind }) => kind === 'terms').map(({ options }) => documentOptions.parse(options).provider),
  )
  const gaps = (providers: string[]) =>
    [...new Set(providers)].filter((slug) => !withDocument.has(slug.split('_')[0]!)).sort()

  it('are named in docs/sources.md: sellers whose own list is declared', () => {
    const own = all
      .filter(({ kind, rank }) => kind === 'prices' && rank === 'provider')
      .map(({ source, format, speaksFor, options }) => {
        const providers = speaksFor ?? [OF_FORMAT[format] ?? options.provider].filter((slug) => slug !== undefined)
        expect(providers, `whose prices ${source} lists`).not.toEqual([])
        return providers as string[]
      })
    const curated = all
      .filter(({ format }) => format === 'curated')
      .flatMap(({ url }) => JSON.parse(readFileSync(`${folder}/${url}`, 'utf8')).providers as { provider: string }[])
    expect(listed('Sellers')).toEqual(gaps([...own.flat(), ...curated.map(({ provider }) => provider)]))
  })

  it('are named in docs/sources.md: those of the list that comes with the product', async () => {
    const { at, bytes } = bundledSnapshots().at(-1)!
    const { providers } = await genaiPrices.parse(bytes(), { at } as never)
    expect(listed('The bundled list')).toEqual(gaps(providers.map(({ provider }) => provider)))
  })

  it('are as few as docs/terms.md says', () => {
    const terms = readFileSync(new URL('../../docs/terms.md', import.meta.url), 'utf8').replace(/\s+/g, ' ')
    const documents = all.filter(({ kind }) => kind === 'terms').length
    expect(terms).toContain(`${documents} documents of ${withDocument.size} providers come with the product`)
  })
})
