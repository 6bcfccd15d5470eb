import { Group, Stack, Text } from '@mantine/core'
import { groupedDigits } from '../../../../lib/text/price-text.ts'
import type { Series } from '../../../api/prices.ts'
import { exactInstant } from '../../../instants.ts'

type StatedFact = Series['facts'][number]

const SHOWN: Record<StatedFact['fact'], { label: string; shown: (value: string) => string }> = {
  context: { label: 'Context window', shown: (value) => `${groupedDigits(value)} tokens` },
  output: { label: 'Longest answer', shown: (value) => `${groupedDigits(value)} tokens` },
  released: { label: 'Released', shown: (value) => value },
}

/** What is stated of a model beside its prices, and by whom. */
export function ModelFacts({ facts }: { facts: StatedFact[] }) {
  if (facts.length === 0) return null
  return (
    <Group component="dl" gap="xl" m={0}>
      {facts.map(({ fact, value, source, statedSince }) => (
        <Stack key={fact} gap={0}>
          <Text component="dt" size="xs" c="dimmed">
            {SHOWN[fact].label}
          </Text>
          <Text component="dd" size="sm" fw={500} m={0}>
            {SHOWN[fact].shown(value)}{' '}
            <Text span size="xs" c="dimmed" fw={400} title={`Since ${exactInstant(statedSince)}`}>
              {source}
            </Text>
          </Text>
        </Stack>
      ))}
    </Group>
  )
}
