import { Card, Group, SegmentedControl, Select, Text } from '@mantine/core'
import type { Series } from '../../api/prices.ts'
import { useChangeSearch } from '../../components/hooks/use-change-search.ts'
import { Section } from '../../components/section.tsx'
import { Chart } from '../prices/chart/chart.tsx'
import { CHART_COLORS } from '../prices/chart/chart-colors.ts'
import { LegendChoice } from '../prices/chart/legend.tsx'
import { byKind, type Kind } from '../prices/explorer/kinds.ts'
import type { CompareSearch } from '../prices/explorer/search.ts'
import { shownDimension, shownTier, unitHeading } from '../prices/money.ts'
import type { Offers } from '../prices/resource/offers.ts'
import type { PriceLine } from '../prices/table/lines.ts'

const MAX_BUTTONS = 4
/** Lines of a chart that differ at a glance: as many as rows can be chosen to be compared. */
const DRAWN = 6

type Props = { data: Series; lines: PriceLine[]; offers: Offers; search: CompareSearch }

/** One chart of one dimension and unit at a time: of the cheapest, and of those that are chosen. */
export function Histories({ data, lines, offers, search: { dimension, lines: chosen } }: Props) {
  const kinds = byKind(lines)
  const shown = kinds.find(({ key }) => key === dimension) ?? kinds[0]!
  const standard = shown.lines.filter(({ tier }) => Object.keys(tier).length === 0)
  const ordered = inOrder(standard.length > 0 ? standard : shown.lines, offers)
  const items = ordered.map((line, n) => ({
    key: line.key,
    label: labelOf(data, line, ordered),
    color: CHART_COLORS[n % CHART_COLORS.length]!,
    line,
  }))
  const isChosen = chosen !== undefined && items.some(({ key }) => chosen.includes(key))
  const keys = isChosen ? chosen : items.slice(0, DRAWN).map(({ key }) => key)
  const drawn = items.filter(({ key }) => keys.includes(key))
  const put: (change: Partial<CompareSearch>) => void = useChangeSearch()
  const first = offers.comparedBy.length > 0 ? 'The cheapest' : `The first ${DRAWN}`
  return (
    <Section title="History" about={items.length > DRAWN ? `${first} are drawn. Choose others below.` : undefined}>
      <Group>
        <Kinds kinds={kinds} shown={shown.key} onShow={(key) => put({ dimension: key, lines: undefined })} />
      </Group>
      <Card withBorder>
        <Text size="sm" c="dimmed" mb="xs">
          {unitHeading(ordered[0]!)}
        </Text>
        <Chart
          lines={drawn.map(({ line }) => line)}
          labels={drawn.map(({ label }) => label)}
          colors={drawn.map(({ color }) => color)}
          asOf={data.asOf}
          height={320}
          withoutLegend
        />
        <LegendChoice items={items} shown={keys} onShow={(next) => put({ lines: next })} />
      </Card>
    </Section>
  )
}

/** The lines in the order of their offers; last those that are no longer served. */
function inOrder(lines: PriceLine[], { offers }: Offers): PriceLine[] {
  const ranks = new Map(offers.flatMap((offer, n) => offer.lines.map(({ key }) => [key, n] as const)))
  const rank = ({ key }: PriceLine) => ranks.get(key) ?? offers.length
  return [...lines].sort((a, b) => rank(a) - rank(b))
}

/** Names as few of seller, name, place and source as tell lines apart. */
function labelOf({ providers }: Series, { provider, listed, tier, source }: PriceLine, all: PriceLine[]): string {
  const same = all.filter((line) => line.provider === provider)
  const seller = providers[provider] ?? provider
  const names = new Set(same.map((line) => line.listed)).size > 1 || new Set(all.map((line) => line.listed)).size > 1
  const places = new Set(all.map((line) => shownTier(line.tier))).size > 1
  const sources = new Set(same.map((line) => line.source)).size > 1
  const parts = [seller, names && listed, places && shownTier(tier), sources && source]
  return parts.filter(Boolean).join(' · ')
}

type KindsProps = { kinds: Kind[]; shown: string; onShow: (key: string) => void }

const Kinds = ({ kinds, shown, onShow }: KindsProps) => {
  const data = kinds.map(({ key, dimension, lines, isOnly }) => ({
    value: key,
    label: isOnly ? shownDimension(dimension) : `${shownDimension(dimension)}, ${unitHeading(lines[0]!)}`,
  }))
  return kinds.length <= MAX_BUTTONS ? (
    <SegmentedControl value={shown} onChange={onShow} data={data} aria-label="What is priced" />
  ) : (
    <Select
      value={shown}
      onChange={(value) => value && onShow(value)}
      data={data}
      allowDeselect={false}
      aria-label="What is priced"
    />
  )
}
