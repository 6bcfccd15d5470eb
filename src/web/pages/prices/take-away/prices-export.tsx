import type { PackedPrices } from '../../../api/prices.ts'
import type { PricesSearch } from '../explorer/search.ts'
import type { MachineRow } from '../machines/unpack-machine.ts'
import { Watch } from '../resource/watch.tsx'
import { WholeHistory } from '../resource/whole-history.tsx'
import type { Price } from '../table/row.ts'
import type { ModelRow } from '../table/unpack.ts'
import { PRICE_COLUMNS } from './csv.ts'
import { curlOf, finalInstant, type HistoryRequest, notYetText, requestFor } from './request.ts'
import { TakeAway } from './take-away.tsx'

type Props = { packed: PackedPrices; rows: (ModelRow | MachineRow)[]; search: PricesSearch }
type Row = { provider: string; source: string; resource: string; prices: Price[] }

const linesOf = (rows: Row[]) =>
  rows.flatMap(({ provider, resource, prices }) =>
    prices.map(({ kind }) => ({ provider, resource, dimension: kind.dimension })),
  )

/** The prices that the explorer shows, to take away; those of one seller to watch too. */
export default function PricesExport({ packed, rows, search }: Props) {
  const request = () => {
    const { kinds, resources, creditProviders, finalFrom } = packed
    const all = resources.flatMap(({ provider, resource, prices }) =>
      prices.flatMap((kind, n) =>
        n % 3 === 0 ? [{ provider, resource, dimension: kinds[kind as number]!.dimension }] : [],
      ),
    )
    const isNamed = search.providers?.some((provider) => creditProviders.includes(provider))
    const named = isNamed ? search.providers : undefined
    const shown = linesOf(rows)
    const { confirmed } = search
    const view = {
      asOf: finalInstant(packed),
      current: true,
      origin: location.origin,
      ...(named && { named }),
      ...(confirmed && { confirmed }),
    }
    const found = requestFor(shown, all, view)
    return { curl: curlOf(found.url), about: aboutOf(found, shown.length) + notYetText(finalFrom) }
  }
  const [seller, ...others] = search.providers ?? []
  return (
    <>
      {seller !== undefined && others.length === 0 && <Watch of={{ provider: seller }} />}
      <TakeAway
        name={`prices-${packed.asOf.slice(0, 10)}`}
        table={() => tableOf(rows)}
        request={request}
        more={<WholeHistory asOf={finalInstant(packed)} />}
      />
    </>
  )
}

const count = (rows: number) => (rows === 1 ? '1 price row' : `${rows.toLocaleString('en')} price rows`)

/** Says how what a request returns relates to what is shown. */
function aboutOf({ isExact, rows, pages }: HistoryRequest, shown: number): string {
  const paging = pages > 1 ? ` They come in ${pages} pages: send nextCursor with limit for the next one.` : ''
  return isExact
    ? `This returns the ${count(rows)} behind this view, in exact decimals per one unit.${paging}`
    : `This returns ${count(rows)}: the ${count(shown)} behind this view and others, because a request cannot be narrowed further.${paging}`
}

const tableOf = (rows: Row[]): unknown[][] => [
  PRICE_COLUMNS,
  ...rows.flatMap(({ provider, source, resource, prices }) =>
    prices.map(({ kind: { dimension, unit, currency, tier }, price, recordedAt }) => [
      ...[provider, source, resource, dimension, unit, currency, tier, price, recordedAt],
    ]),
  ),
]
