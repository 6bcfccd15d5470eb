import { Chip, ColorSwatch, Group, Text } from '@mantine/core'

type Item = { key: string; label: string; color: string }
const variable = (color: string): string => `var(--mantine-color-${color.replace('.', '-')})`

/** What the lines of a chart are. */
export const Legend = ({ items }: { items: Item[] }) => (
  <Group gap="sm" mt="xs" style={{ rowGap: 2 }}>
    {items.map(({ key, label, color }) => (
      <Group key={key} gap={6} wrap="nowrap">
        <ColorSwatch color={variable(color)} size={10} withShadow={false} />
        <Text size="xs">{label}</Text>
      </Group>
    ))}
  </Group>
)

/** A label that is wider than its card has two lines. */
const FITS = {
  label: { height: 'auto', minHeight: 'var(--chip-size)', whiteSpace: 'normal', overflowWrap: 'anywhere' },
} as const

type ChoiceProps = { items: Item[]; shown: string[]; onShow: (shown: string[]) => void }

/** The same, to choose which of many lines are drawn. */
export const LegendChoice = ({ items, shown, onShow }: ChoiceProps) => (
  <Chip.Group multiple value={shown} onChange={onShow}>
    <Group gap={6} mt="sm" role="group" aria-label="Lines of the chart">
      {items.map(({ key, label, color }) => (
        <Chip key={key} value={key} size="xs" variant="outline" color={color} styles={FITS}>
          {label}
        </Chip>
      ))}
    </Group>
  </Chip.Group>
)
